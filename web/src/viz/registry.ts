/** All visualization types, in the order in which the builder offers them. */
import { bar } from './bar';
import { counter } from './counter';
import { line } from './line';
import { table } from './table';
import type { VizId, VizType } from './types';

export const vizTypes: readonly VizType[] = [table, counter, bar, line];

export function vizType(id: VizId): VizType {
  const found = vizTypes.find((type) => type.id === id);
  if (!found) throw new Error(`no visualization is called ${id}`);
  return found;
}
