/** A list as a file: the columns that have a text, their numbers with the unit at the head. */
import { csvText } from '@/lib/csv';
import type { Column } from './data-table';

export function fileText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const written = columns.flatMap(({ head, unit, text }) => (text ? [{ head: unit === undefined ? head : `${head} (${unit})`, text }] : []));
  return csvText(
    written.map(({ head }) => head),
    rows.map((row) => written.map(({ text }) => text(row))),
  );
}
