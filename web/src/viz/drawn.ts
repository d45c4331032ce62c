/** The numbers behind a chart as a table: what "Show as table" lists and the CSV export holds, every digit of them. */
import type { Cell, Column } from '@/lib/columns';
import { fullText } from '@/lib/columns';
import { csvText } from '@/lib/csv';
import { plainExact, type Exact } from '@/lib/exact';
import { unitOf, type NumberDress } from './numbers';

export interface DrawnTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export const textColumn = (name: string): Column => ({ name, type: 'varchar' });

/** A column of exact numbers, with its unit in the name. */
export function numberColumn(name: string, dress: NumberDress): Column {
  const unit = unitOf(dress);
  return { name: unit === '' ? name : `${name} (${unit})`, type: 'decimal(76,18)' };
}

export const exactCell = (value: Exact | null): Cell => value && plainExact(value);

export function drawnCsv({ columns, rows }: DrawnTable): string {
  return csvText(
    columns.map(({ name }) => name),
    rows.map((row) => row.map((value) => fullText(value))),
  );
}
