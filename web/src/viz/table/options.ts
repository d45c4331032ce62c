/** What a table can be told, and what it takes by itself: all columns as they are. */
import type { NumberFormat } from '@/lib/columns';
import type { ResultTable } from '../types';

export interface TableColumn {
  name: string;
  /** Shown in place of the name; empty shows the name. */
  title: string;
  hidden: boolean;
  format: NumberFormat;
}

export interface TableOptions {
  columns: TableColumn[];
}

export function defaults(table: ResultTable): TableOptions {
  return { columns: table.columns.map(({ name }) => ({ name, title: '', hidden: false, format: 'grouped' as const })) };
}

/** The chosen columns that still exist, in their order, then the ones the result has gained. */
export function present(table: ResultTable, options: TableOptions): TableColumn[] {
  const kept = options.columns.filter(({ name }) => table.columns.some((column) => column.name === name));
  return [...kept, ...defaults(table).columns.filter(({ name }) => !kept.some((column) => column.name === name))];
}
