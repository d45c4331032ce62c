/** What a theme river can be told, and what it takes by itself. */
import { isNumeric } from '@/lib/columns';
import type { SeriesLook } from '../looks';
import { numericColumns, rolesOf } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import type { Combine } from '../read';
import type { ResultTable } from '../types';

export interface ThemeRiverOptions extends NumberDress {
  time: string;
  value: string;
  /** Column that names the streams. */
  name: string;
  combine: Combine;
  /** Most streams; the rest becomes one. */
  limit: number;
  labels: boolean;
  legend: boolean;
  series: SeriesLook[];
}

export function defaults(table: ResultTable): ThemeRiverOptions {
  const roles = rolesOf(table);
  const texts = table.columns.filter((column) => !isNumeric(column.type) && !roles.time.includes(column.name));
  const name = roles.category[0] ?? roles.address[0] ?? texts[0]?.name ?? '';
  return { ...plainDress, time: roles.time[0] ?? '', value: numericColumns(table)[0] ?? '', name, combine: 'sum', limit: 8, labels: false, legend: true, series: [] };
}
