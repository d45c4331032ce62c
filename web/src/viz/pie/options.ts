/** What a pie chart can be told, and what it takes by itself. */
import type { SeriesLook } from '../looks';
import { firstMeasure, namingColumn, rolesOf } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import type { Combine, SortOrder } from '../read';
import type { ResultTable } from '../types';

export interface PieOptions extends NumberDress {
  /** Column that names the slices. */
  category: string;
  value: string;
  combine: Combine;
  sort: SortOrder;
  /** Most slices; the rest becomes one. 0 keeps them all. */
  top: number;
  /** Slices under so many percent go to the rest. */
  minShare: number;
  shape: 'donut' | 'pie' | 'rose';
  label: 'percent' | 'value' | 'name' | 'none';
  legend: boolean;
  series: SeriesLook[];
}

/** The first category, time, address or hash names the slices; the first number is their size. */
export function defaults(table: ResultTable): PieOptions {
  const roles = rolesOf(table);
  const category = roles.category[0] ?? roles.time[0] ?? roles.address[0] ?? roles.hash[0] ?? namingColumn(table);
  return { ...plainDress, category, value: firstMeasure(table, category), combine: 'sum', sort: 'falling', top: 9, minShare: 0, shape: 'donut', label: 'percent', legend: true, series: [] };
}
