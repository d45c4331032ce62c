/** What all layouts share: the room's size, writing a place, spans, and numbers that look random and are not. */

/** Half the width of the room, in its own units. */
export const REACH = 60;
const golden = Math.PI * (3 - Math.sqrt(5));

export type Place = readonly [number, number, number];

/** A little from the right and from above. */
export const usualEye: Place = [0.25, 0.35, 1];

/** The `index`th of `count` directions spread evenly over a sphere. */
export function direction(index: number, count: number): [number, number, number] {
  const y = 1 - (2 * (index + 0.5)) / Math.max(1, count);
  const ring = Math.sqrt(Math.max(0, 1 - y * y));
  return [Math.cos(golden * index) * ring, y, Math.sin(golden * index) * ring];
}

/** Between 0 and 1, the same for the same text. */
export function spread(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  return ((hash ^ (hash >>> 13)) >>> 0) / 4294967296;
}

export function put(positions: Float32Array, index: number, x: number, y: number, z: number): void {
  positions[3 * index] = x;
  positions[3 * index + 1] = y;
  positions[3 * index + 2] = z;
}

export const at = (values: Float32Array, index: number): number => values[index] ?? 0;

export interface Span {
  low: number;
  high: number;
}

export function spanOf(values: Iterable<number>): Span {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? { low: 0, high: 0 } : { low, high };
}

/** Where in a span a value lies, from 0 to 1. */
export const part = (value: number, { low, high }: Span): number => (high === low ? 0.5 : (value - low) / (high - low));

/** `count` values spread evenly over a span, both ends included. */
export const ticks = ({ low, high }: Span, count: number): number[] => (high === low ? [low] : Array.from({ length: count }, (_, index) => low + ((high - low) * index) / (count - 1)));
