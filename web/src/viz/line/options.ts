/** What a line chart can be told, and what it takes by itself. */
import type { NumberFormat } from '@/lib/columns';
import { numericColumns, rolesOf } from '../mapping';
import type { Combine, Missing } from '../series';
import type { ResultTable } from '../types';

export interface LineOptions {
  x: string;
  y: string[];
  group: string;
  combine: Combine;
  missing: Missing;
  limit: number;
  format: NumberFormat;
  points: boolean;
  legend: boolean;
}

const MOST_GROUPS = 20;

/** Time, else the first number for x; then up to five numbers, grouped where one category has few values. */
export function defaults(table: ResultTable): LineOptions {
  const roles = rolesOf(table);
  const numbers = numericColumns(table);
  const x = roles.time[0] ?? numbers.find((name) => !roles.number.includes(name)) ?? (numbers.length > 1 ? numbers[0] : undefined) ?? table.columns[0]?.name ?? '';
  const group = roles.category.find((name) => {
    const index = table.columns.findIndex((column) => column.name === name);
    return name !== x && new Set(table.rows.map((row) => row[index])).size <= MOST_GROUPS;
  });
  const free = (roles.number.length > 0 ? roles.number : numbers).filter((name) => name !== x);
  return { x, y: free.slice(0, group ? 1 : 5), group: group ?? '', combine: 'refuse', missing: 'gap', limit: 10, format: 'grouped', points: false, legend: true };
}
