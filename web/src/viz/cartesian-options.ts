/** Options that bar, line and area charts share, and the columns they take by themselves. */
import type { Cell } from '@/lib/columns';
import { columnIndex, namingColumn, numericColumns, rolesOf } from './mapping';
import type { ReferenceLine, SeriesLook } from './looks';
import type { SeriesOptions } from './series';
import type { ResultTable } from './types';

export interface CartesianOptions extends SeriesOptions {
  legend: boolean;
  labels: boolean;
  /** Logarithmic value axis; not for stacked values. */
  log: boolean;
  /** Title of the value axis; empty writes its unit alone. */
  axisTitle: string;
  series: SeriesLook[];
  referenceLines: ReferenceLine[];
}

const MOST_GROUPS = 20;

/** Columns for an axis of any kind: time, else the first category, address or hash. */
export function categoryAxis(table: ResultTable): Pick<SeriesOptions, 'x' | 'y' | 'group'> {
  const roles = rolesOf(table);
  const x = roles.time[0] ?? roles.category[0] ?? roles.address[0] ?? roles.hash[0] ?? namingColumn(table);
  const group = repeats(table, x) ? roles.category.find((name) => name !== x) : undefined;
  return { x, ...measures(table, x, group ?? '') };
}

/** Columns for an axis with an order: time, else a number; grouped where one category has few values. */
export function orderedAxis(table: ResultTable): Pick<SeriesOptions, 'x' | 'y' | 'group'> {
  const roles = rolesOf(table);
  const numbers = numericColumns(table);
  const x = roles.time[0] ?? numbers.find((name) => !roles.number.includes(name)) ?? (numbers.length > 1 ? numbers[0] : undefined) ?? table.columns[0]?.name ?? '';
  const group = roles.category.filter(() => repeats(table, x)).find((name) => {
    const index = table.columns.findIndex((column) => column.name === name);
    return name !== x && new Set(table.rows.map((row) => row[index])).size <= MOST_GROUPS;
  });
  return { x, ...measures(table, x, group ?? '') };
}

/** Whether a place on the axis has several rows: where each has one, every group would be a single point. */
function repeats(table: ResultTable, x: string): boolean {
  const index = columnIndex(table, x);
  const seen = new Set<Cell>();
  return table.rows.some((row) => {
    const value = row[index] ?? null;
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  });
}

/** How many times larger the numbers of one column may be than those of another on the same axis: beyond, the smaller ones are a line along the bottom. */
const MOST_APART = 1_000;

const largest = (table: ResultTable, name: string): number => {
  const index = columnIndex(table, name);
  return table.rows.reduce((most, row) => Math.max(most, Math.abs(Number(row[index] ?? 0)) || 0), 0);
};

/** Up to five numbers of about the same size, or one number by group. */
function measures(table: ResultTable, x: string, group: string): Pick<SeriesOptions, 'y' | 'group'> {
  const roles = rolesOf(table);
  const free = (roles.number.length > 0 ? roles.number : numericColumns(table)).filter((name) => name !== x);
  const first = largest(table, free[0] ?? '');
  const alike = free.filter((name, at) => {
    const here = at === 0 ? first : largest(table, name);
    return first === 0 || here === 0 || Math.max(first / here, here / first) <= MOST_APART;
  });
  return { y: alike.slice(0, group ? 1 : 5), group };
}

/** What the three have before anybody chose. */
export const cartesianDefaults = (): Omit<CartesianOptions, 'x' | 'y' | 'group'> => ({
  combine: 'refuse',
  missing: 'gap',
  limit: 10,
  format: 'grouped',
  decimals: -1,
  unit: '',
  legend: true,
  labels: false,
  log: false,
  axisTitle: '',
  series: [],
  referenceLines: [],
});
