/** Evenly chosen parts of long lists, for drawing. */

/** At most `most` items in their order, evenly spread, the first and the last among them. */
export function everyNth<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  if (most < 2) return items.slice(0, most);
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)] as T);
}
