/** Results for tests: columns by name and type, rows as the API sends them. */
import type { Cell } from '@/lib/columns';
import { plainExact, type Exact } from '@/lib/exact';
import type { ChartLook } from '@/ui/chart-look';
import type { Outcome, ResultTable } from './types';

export function result(columns: readonly [string, string][], ...rows: Cell[][]): ResultTable {
  return { columns: columns.map(([name, type]) => ({ name, type })), rows, total: rows.length };
}

/** The same result with the cells of one column in two rows swapped. */
export function swapped(table: ResultTable, column: string, first: number, second: number): ResultTable {
  const at = table.columns.findIndex(({ name }) => name === column);
  const cell = (row: number) => table.rows[row]?.[at] ?? null;
  return { ...table, rows: table.rows.map((row, index) => (index === first ? row.with(at, cell(second)) : index === second ? row.with(at, cell(first)) : row)) };
}

export function modelOf<M>(outcome: Outcome<M>): M {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem));
  return outcome.model;
}

export const problemOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : outcome.problem);

export const digits = (value: Exact | null): string | null => value && plainExact(value);

const colours = (count: number) => Array.from({ length: count }, (_, at) => `#0000${(at + 16).toString(16)}`);

/** A page's colours, and a drawing as small as a thumbnail. */
export const look: ChartLook = { series: colours(10), sequential: colours(7), diverging: colours(9), strong: '#111111', text: '#222222', soft: '#333333', line: '#444444', surface: '#ffffff', font: 'sans-serif', fontSize: 12, still: true, width: 240, height: 108 };
