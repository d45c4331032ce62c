/** What a funnel can be told, and what it takes by itself. */
import type { SeriesLook } from '../looks';
import { firstMeasure, namingColumn, rolesOf } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import type { Combine, SortOrder } from '../read';
import type { ResultTable } from '../types';

export interface FunnelOptions extends NumberDress {
  /** Column that names the steps. */
  step: string;
  value: string;
  combine: Combine;
  sort: SortOrder;
  /** What each step is compared with. */
  percent: 'first' | 'previous' | 'none';
  align: 'center' | 'left' | 'right';
  orient: 'vertical' | 'horizontal';
  /** Pixels between two steps. */
  gap: number;
  /** Most steps; later ones are left out. */
  limit: number;
  legend: boolean;
  series: SeriesLook[];
}

export function defaults(table: ResultTable): FunnelOptions {
  const roles = rolesOf(table);
  const step = roles.category[0] ?? roles.time[0] ?? roles.address[0] ?? namingColumn(table);
  return { ...plainDress, step, value: firstMeasure(table, step), combine: 'sum', sort: 'falling', percent: 'first', align: 'center', orient: 'vertical', gap: 2, limit: 10, legend: false, series: [] };
}
