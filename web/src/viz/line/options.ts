/** What a line chart can be told, and what it takes by itself. */
import { cartesianDefaults, orderedAxis, type CartesianOptions } from '../cartesian-options';
import type { ResultTable } from '../types';

export interface LineOptions extends CartesianOptions {
  points: boolean;
  smooth: boolean;
  step: 'none' | 'start' | 'middle' | 'end';
}

/** Time, else the first number for x; then up to five numbers, grouped where one category has few values. */
export function defaults(table: ResultTable): LineOptions {
  return { ...cartesianDefaults(), ...orderedAxis(table), points: false, smooth: false, step: 'none' };
}
