/** What a scatter chart can be told, and what it takes by itself. */
import type { SeriesLook } from '../looks';
import { numericColumns, rolesOf } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import type { ResultTable } from '../types';

/** Format and unit are those of y; x is written by its own format. */
export interface ScatterOptions extends NumberDress {
  x: string;
  y: string;
  /** Number that sets the size of a point; empty makes all equal. */
  size: string;
  /** Column whose values get a colour each. */
  group: string;
  /** Column that names a point in its tooltip. */
  name: string;
  xFormat: NumberDress['format'];
  xLog: boolean;
  yLog: boolean;
  /** Line of least squares through all points. */
  regression: boolean;
  opacity: number;
  smallest: number;
  largest: number;
  legend: boolean;
  series: SeriesLook[];
}

/** The first two numbers; coloured by the first category, named by the first address or hash. */
export function defaults(table: ResultTable): ScatterOptions {
  const roles = rolesOf(table);
  const numbers = numericColumns(table);
  const [first, second] = numbers;
  return { ...plainDress, x: second === undefined ? (roles.time[0] ?? '') : (first ?? ''), y: second ?? first ?? '', size: '', group: roles.category[0] ?? '', name: roles.address[0] ?? roles.hash[0] ?? '', xFormat: 'grouped', xLog: false, yLog: false, regression: false, opacity: 70, smallest: 6, largest: 36, legend: true, series: [] };
}
