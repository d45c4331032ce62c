/** What a radar chart can be told, and what it takes by itself. */
import type { SeriesLook } from '../looks';
import { numericColumns, rolesOf } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import type { Combine } from '../read';
import type { ResultTable } from '../types';

export interface RadarOptions extends NumberDress {
  /** `wide`: each number column is an indicator. `long`: a column names the indicator of each row. */
  layout: 'wide' | 'long';
  /** Column that names the shapes; empty in the wide layout takes each row for one. */
  name: string;
  /** Number columns of the wide layout. */
  indicators: string[];
  indicator: string;
  value: string;
  combine: Combine;
  /** Most shapes; those with the smallest sums are left out. */
  limit: number;
  /** Whether every indicator has its own scale, or all share one. */
  scale: 'each' | 'shared';
  outline: 'polygon' | 'circle';
  filled: boolean;
  legend: boolean;
  series: SeriesLook[];
}

/** Long with two categories and a number; else one shape per first category and up to eight numbers. */
export function defaults(table: ResultTable): RadarOptions {
  const roles = rolesOf(table);
  const numbers = numericColumns(table);
  const named = [...roles.category, ...roles.time, ...roles.address];
  const long = roles.category.length >= 2 && roles.number.length === 1;
  const [first = '', second = ''] = named;
  return {
    ...plainDress,
    layout: long ? 'long' : 'wide',
    name: first,
    indicators: (roles.number.length >= 3 ? roles.number : numbers).filter((name) => name !== first).slice(0, 8),
    indicator: second,
    value: numbers[0] ?? '',
    combine: 'refuse',
    limit: 6,
    scale: long ? 'shared' : 'each',
    outline: 'polygon',
    filled: true,
    legend: true,
    series: [],
  };
}
