// How texts are cut into words for the search: Latin words and names in lower case, Chinese in pairs of characters.

const part = /[\p{Script=Han}]+|[\p{L}\p{N}_]+/gu;
const han = /^\p{Script=Han}/u;

/** The words of a text. Chinese has no blanks between words, so every two neighbours count as one. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [found] of text.toLowerCase().matchAll(part)) {
    if (han.test(found)) {
      const characters = Array.from(found);
      if (characters.length === 1) words.push(found);
      for (let index = 0; index + 1 < characters.length; index += 1) words.push(`${characters[index] ?? ''}${characters[index + 1] ?? ''}`);
    } else {
      // `block_timestamp` is found by its name and by its parts; Latin letters beside Chinese ones were cut off above.
      const pieces = found.split(/(\p{Script=Han}+)/u).filter((piece) => piece !== '');
      for (const piece of pieces) {
        if (han.test(piece)) words.push(...wordsOf(piece));
        else words.push(piece, ...(piece.includes('_') ? piece.split('_').filter((each) => each.length > 1) : []));
      }
    }
  }
  return words;
}

/** The piece of a text around the first of the words, for a list of results. */
export function excerpt(text: string, query: string, length: number): string {
  const lower = text.toLowerCase();
  const places = wordsOf(query).map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = Math.max(0, first - Math.floor(length / 3));
  const cut = text.slice(start, start + length).trim();
  return `${start > 0 ? '…' : ''}${cut}${start + length < text.length ? '…' : ''}`;
}
