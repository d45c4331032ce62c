/** What a bar chart can be told, and what it takes by itself. */
import type { NumberFormat } from '@/lib/columns';
import { numericColumns, rolesOf } from '../mapping';
import type { Combine, Missing } from '../series';
import type { ResultTable } from '../types';

export interface BarOptions {
  x: string;
  y: string[];
  group: string;
  combine: Combine;
  missing: Missing;
  limit: number;
  format: NumberFormat;
  stack: 'none' | 'stack' | 'percent';
  horizontal: boolean;
  legend: boolean;
}

/** Time, else the first category, address or hash for x; up to five numbers, or one number by category. */
export function defaults(table: ResultTable): BarOptions {
  const roles = rolesOf(table);
  const numbers = numericColumns(table);
  const x = roles.time[0] ?? roles.category[0] ?? roles.address[0] ?? roles.hash[0] ?? table.columns.find((column) => column.name !== numbers[0])?.name ?? '';
  const group = roles.category.find((name) => name !== x) ?? '';
  const free = (roles.number.length > 0 ? roles.number : numbers).filter((name) => name !== x);
  return { x, y: free.slice(0, group ? 1 : 5), group, combine: 'refuse', missing: 'gap', limit: 10, format: 'grouped', stack: group ? 'stack' : 'none', horizontal: false, legend: true };
}
