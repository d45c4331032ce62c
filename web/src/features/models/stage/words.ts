/** Where the words over a picture stand: each at its place, inside of the picture, and none over another. */

export interface Word {
  /** Its place in the picture; null when that is not to be seen. */
  readonly spot: readonly [number, number] | null;
  readonly width: number;
  readonly height: number;
  /** It stands above its place; else it hangs below it. */
  readonly above: boolean;
}

const EDGE = 4;

/** The upper left corner of each word in a picture so wide; null for those that have no room. The first ones go first. */
export function arranged(words: readonly Word[], room: number): (readonly [number, number] | null)[] {
  const taken: [number, number, number, number][] = [];
  return words.map(({ spot, width, height, above }) => {
    if (spot === null) return null;
    const top = spot[1] - (above ? height + 4 : 0);
    // A place close to the edge, or a little beyond it, keeps its whole word.
    const beyond = spot[0] < -width || spot[0] > room + width;
    const left = beyond ? spot[0] - width / 2 : Math.max(EDGE, Math.min(spot[0] - width / 2, room - width - EDGE));
    if (taken.some(([x, y, w, h]) => left < x + w && x < left + width && top < y + h && y < top + height)) return null;
    taken.push([left - 4, top - 2, width + 8, height + 4]);
    return [left, top];
  });
}
