/** What parallel coordinates can be told, and what they take by themselves. */
import type { SeriesLook } from '../looks';
import { numericColumns, rolesOf } from '../mapping';
import type { ResultTable } from '../types';

export interface ParallelOptions {
  /** Columns in the order of their axes: numbers, times and categories. */
  dimensions: string[];
  group: string;
  /** Axes that run downwards. */
  inverted: string[];
  /** Axes of a logarithmic scale. */
  logarithmic: string[];
  smooth: boolean;
  opacity: number;
  legend: boolean;
  series: SeriesLook[];
}

/** The first eight numbers and categories; coloured by a category of few values. */
export function defaults(table: ResultTable): ParallelOptions {
  const roles = rolesOf(table);
  const numbers = new Set(numericColumns(table));
  const usable = new Set([...numbers, ...roles.category, ...roles.time]);
  const dimensions = table.columns.map((column) => column.name).filter((name) => usable.has(name));
  return { dimensions: dimensions.slice(0, 8), group: roles.category[0] ?? '', inverted: [], logarithmic: [], smooth: false, opacity: table.rows.length > 500 ? 15 : 45, legend: true, series: [] };
}
