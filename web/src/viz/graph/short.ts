/** Names cut to the room that they have. Those that begin alike keep their ends, which tell them apart. */
import { widthOf } from '../axis-names';
import { cut } from '../tooltip';

/** Names are alike when so many of their first signs are. */
const ALIKE = 6;
/** Signs of a cut name at least, the dots included. */
const FEWEST = 3;

export interface Short {
  /** The name of the node at `index` in so many signs. */
  signs: (index: number, most: number) => string;
  /** The same in about so many pixels. */
  pixels: (index: number, room: number, fontSize: number, most: number) => string;
}

export function short(whole: readonly string[]): Short {
  // Addresses and hashes have a short form of their own.
  const names = whole.map((name) => cut(name, Infinity));
  const beginning = (name: string) => Array.from(name).slice(0, ALIKE).join('');
  const counts = new Map<string, number>();
  for (const name of names) counts.set(beginning(name), (counts.get(beginning(name)) ?? 0) + 1);
  const alike = (name: string) => (counts.get(beginning(name)) ?? 0) > 1;
  const signs = (index: number, most: number) => {
    const name = names[index] ?? '';
    const all = Array.from(name);
    if (all.length <= most) return name;
    const end = alike(name) ? Math.floor((most - 1) / 2) : 0;
    // The short form of an address has dots of its own, which are not told twice.
    const head = all.slice(0, most - 1 - end).join('').replace(/[.…]+$/, '');
    return `${head}…${end === 0 ? '' : all.slice(-end).join('').replace(/^[.…]+/, '')}`;
  };
  const pixels = (index: number, room: number, fontSize: number, most: number) => {
    let fits = Math.min(most, Array.from(names[index] ?? '').length);
    while (fits > FEWEST && widthOf(signs(index, fits), fontSize) > room) fits -= 1;
    return signs(index, fits);
  };
  return { signs, pixels };
}
