/** Nodes around a circle: their names point outwards, each as far as its way to the edge of the card allows. */
import { FAR } from './names';
import type { Place } from './layout';

/** Share of the way from the middle to the nearest edge that names may take of the circle. */
const MOST_ROOM = 0.48;
/** Share of the circle that nodes may cover: where they are large for it they get smaller, else they would hide each other. */
const MOST_COVERED = 0.85;
/** Signs that a name has room for, or it is left out: fewer tell nothing. */
const FEWEST = 4;

export interface Circle {
  readonly radius: number;
  readonly sizes: readonly number[];
  /** Pixels that each name has. */
  readonly rooms: readonly number[];
}

interface Wanted {
  /** From the middle to where nothing may be drawn any more. */
  readonly reach: Place;
  readonly sizes: readonly number[];
  /** The widest of the names that are shown. */
  readonly longest: number;
  readonly fontSize: number;
}

export function circle({ reach, sizes, longest, fontSize }: Wanted): Circle {
  const half = Math.max(1, Math.min(reach.x, reach.y) - Math.max(0, ...sizes) / 2);
  const radius = half - Math.min(longest + FAR, MOST_ROOM * half);
  const covered = sizes.reduce((sum, size) => sum + size, 0) / (2 * Math.PI * radius);
  const smaller = Math.min(1, MOST_COVERED / covered);
  const fitting = sizes.map((size) => Math.min(size * smaller, radius));
  const rooms = angles(fitting, radius).map((angle, index) => {
    const [across, down] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
    // A turned name is as high as its signs, so that its corner reaches the edge before its middle does.
    const edge = Math.min((reach.x - (down * fontSize) / 2) / across, (reach.y - (across * fontSize) / 2) / down);
    const room = edge - radius - (fitting[index] ?? 0) / 2 - FAR;
    return room < FEWEST * 0.58 * fontSize ? 0 : room;
  });
  return { radius, sizes: fitting, rooms };
}

/** Where the chart library puts the nodes of a circle: each has as much of it as it covers, and all have the same of the rest. */
function angles(sizes: readonly number[], radius: number): number[] {
  const halves = sizes.map((size) => Math.asin(Math.min(1, size / 2 / radius)));
  const rest = Math.PI / Math.max(1, sizes.length) - halves.reduce((sum, half) => sum + half, 0) / Math.max(1, sizes.length);
  let angle = 0;
  return halves.map((half) => {
    const middle = angle + rest + half;
    angle = middle + rest + half;
    return middle;
  });
}
