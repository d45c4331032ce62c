/** How the grids of this window were left: who comes back to a result finds the rows that were in sight. */
import type { NumberFormat } from '@/lib/columns';

export interface GridPlace {
  /** The row at the top, from 0. */
  readonly row: number;
  /** Formats chosen in the heads, by place of the column. */
  readonly formats: Readonly<Record<number, NumberFormat>>;
  readonly sort: { readonly column: string; readonly direction: 'asc' | 'desc' } | null;
}

/** Results whose place is kept; those left longest ago are forgotten first. */
export const MOST_PLACES = 50;

const places = new Map<string, GridPlace>();

export function leavePlace(source: string, place: GridPlace): void {
  places.delete(source);
  places.set(source, place);
  const [oldest] = places.keys();
  if (places.size > MOST_PLACES && oldest !== undefined) places.delete(oldest);
}

export function placeOf(source: string): GridPlace | undefined {
  return places.get(source);
}
