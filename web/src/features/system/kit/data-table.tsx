// A table of the back office: rows of 39 design pixels, cards on small screens.
import type { ReactNode } from 'react';
import { Skeleton } from '@/ui/parts';
import table from '@/ui/table.module.css';
import css from './data-table.module.css';

export interface Column<Row> {
  key: string;
  head: string;
  /** Of the numbers that a file gets; the page writes them out with their units. */
  unit?: string;
  /** The value as text: what a file gets, and what is shown when there is no cell. */
  text?: (row: Row) => string;
  cell?: (row: Row) => ReactNode;
  /** Numbers, durations and actions stand at the right. */
  end?: boolean;
  /** May be cut off where it is too long. */
  cut?: boolean;
  /** What a row is called by: stands first and whole on small screens. */
  main?: boolean;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Grey rows in place of the first answer. */
  waiting?: boolean;
  /** The rows are those of the request before, or what is known of them before it is answered. */
  stale?: boolean;
  /** Below the head when there is nothing to show, or why it could not be loaded. */
  children?: ReactNode;
}

const waitingRows = 8;

export function DataTable<Row>({ label, columns, rows, rowKey, waiting, stale, children }: DataTableProps<Row>) {
  return (
    <div className={table.card} data-stale={stale}>
      <table className={`${table.table} ${css.table}`} aria-busy={waiting ?? stale}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-end={column.end}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {waiting
            ? Array.from({ length: waitingRows }, (_, index) => (
                <tr key={index}>
                  <td colSpan={columns.length}>
                    <Skeleton height="1em" width={`${92 - ((index * 17) % 40)}%`} />
                  </td>
                </tr>
              ))
            : rows.map((row) => (
                <tr key={rowKey(row)}>
                  {columns.map((column) => (
                    <Cell key={column.key} column={column} row={row} />
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
      {children}
    </div>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const text = column.text?.(row);
  return (
    <td data-end={column.end} data-cut={column.cut} data-main={column.main} data-key={column.key} data-label={column.main ? undefined : column.head} title={column.cut ? text : undefined}>
      {column.cell ? column.cell(row) : text}
    </td>
  );
}
