/** What an area chart can be told, and what it takes by itself: as a line, stacked. */
import { cartesianDefaults, orderedAxis, type CartesianOptions } from '../cartesian-options';
import type { ResultTable } from '../types';

export interface AreaOptions extends CartesianOptions {
  stack: 'none' | 'stack' | 'percent';
  /** How strongly areas are filled, 10 to 100 percent. */
  opacity: number;
  smooth: boolean;
}

export function defaults(table: ResultTable): AreaOptions {
  return { ...cartesianDefaults(), ...orderedAxis(table), missing: 'zero', stack: 'stack', opacity: 90, smooth: false };
}
