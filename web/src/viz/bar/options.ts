/** What a bar chart can be told, and what it takes by itself. */
import { cartesianDefaults, categoryAxis, type CartesianOptions } from '../cartesian-options';
import type { SortOrder } from '../read';
import type { ResultTable } from '../types';

export interface BarOptions extends CartesianOptions {
  stack: 'none' | 'stack' | 'percent';
  horizontal: boolean;
  /** Order of categories; times and numbers keep their own. */
  sort: SortOrder;
  /** Most categories; the rest becomes one sum. 0 keeps them all, -1 as many as can be told apart. */
  top: number;
}

/** Time, else the first category, address or hash for x; up to five numbers, or one number by category. */
export function defaults(table: ResultTable): BarOptions {
  const axis = categoryAxis(table);
  return { ...cartesianDefaults(), ...axis, stack: axis.group ? 'stack' : 'none', horizontal: false, sort: 'none', top: -1 };
}
