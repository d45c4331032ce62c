// Where pages that are kept alive were scrolled to.

const places = new Map<string, number>();

/** Remembers where the page of `path` is scrolled to, until the returned function is called. */
export function watchScroll(path: string): () => void {
  const remember = () => places.set(path, scrollY);
  addEventListener('scroll', remember, { passive: true });
  return () => removeEventListener('scroll', remember);
}

/** Where a page starts: at its top, or where it was left. */
export function startOf(path: string): number {
  return places.get(path) ?? 0;
}
