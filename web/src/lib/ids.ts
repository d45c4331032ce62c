// Ids in links: URL-safe Base64 of the id's text, without padding.

export function encodeId(id: string | number): string {
  const bytes = new TextEncoder().encode(String(id));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The id of a link, or null when the text is none: the page then says 404. */
export function decodeId(text: string | null): string | null {
  if (!text || !/^[\w-]+$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const id = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Only the one spelling of an id is its link.
    return encodeId(id) === text ? id : null;
  } catch {
    return null;
  }
}
