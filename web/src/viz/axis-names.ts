/** How the names along a level axis are written so that each can be read. */
import type { ChartLook } from '@/ui/chart';
import { cut } from './tooltip';

/** Degrees that names are turned by where they would else cover each other. */
const TURN = 35;
/** Most pixels of a turned name. */
const LONGEST = 120;

/** Least pixels of a level name that may be cut. */
const NARROWEST = 40;

/** Signs that tell at least a little. */
const FEWEST = 5;

/** About how wide a text is: signs of Chinese are as wide as high. */
export function widthOf(text: string, fontSize: number): number {
  let signs = 0;
  for (const sign of text) signs += sign > '\u2e7f' ? 1 : 0.58;
  return signs * fontSize;
}

/** A text cut to about so many pixels; a few signs always stay. */
export function cutTo(text: string, room: number, fontSize: number): string {
  if (widthOf(text, fontSize) <= room) return text;
  const signs = Array.from(text);
  let most = signs.length - 1;
  while (most > FEWEST && widthOf(`${signs.slice(0, most - 1).join('')}…`, fontSize) > room) most -= 1;
  return cut(text, most);
}

/** Names without room side by side are turned, as long as there is a line for each; where there is not, some are left out. */
export function nameLabels(names: readonly string[], look: ChartLook, room: number): { rotate?: number; interval?: 0; width?: number; overflow?: 'truncate' } {
  const place = room / Math.max(1, names.length);
  const longest = Math.max(0, ...names.map((name) => widthOf(name, look.fontSize)));
  if (longest + 8 <= place) return {};
  // Some of them are told, the outer ones without leaning out of a narrow card.
  if (place < 1.5 * look.fontSize) return { width: Math.max(NARROWEST, room / 4), overflow: 'truncate' };
  return { rotate: TURN, interval: 0, width: Math.min(LONGEST, look.height / 3), overflow: 'truncate' };
}
