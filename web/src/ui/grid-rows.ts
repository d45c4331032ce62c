/** Rows behind the grid: pages from the server in their own order, or all of them sorted once somebody asks for another order. */
import { compareCells, fullText, type Cell } from '@/lib/columns';
import { parseExact, plainExact, sumExact } from '@/lib/exact';
import { pagedReader } from './grid-pages';

export type FetchRows = (offset: number, limit: number, signal: AbortSignal) => Promise<readonly (readonly Cell[])[]>;

export interface GridRow {
  /** Place in the result's own order, from 0. */
  readonly number: number;
  readonly cells: readonly Cell[];
}

export interface SortOrder {
  readonly index: number;
  readonly type: string;
  readonly descending: boolean;
}

/** Rows of one request while all of them are loaded. */
const PAGE = 5_000;

export interface RowSource {
  readonly read: (from: number, to: number, order: SortOrder | null) => Promise<GridRow[]>;
  /** Says which rows are in sight: in the result's own order only those are fetched and answered. */
  readonly look: (from: number, to: number) => void;
  /** Fetches once more what could not be fetched. */
  readonly retry: () => void;
  /** Sum of a column's numbers over all rows, every digit of it. */
  readonly sum: (index: number) => Promise<string>;
  /** Ends what is still loading; the rows may be read again afterwards. */
  readonly stop: () => void;
}

/** Rows that stay equal keep the result's own order; nulls come last either way. */
export function sortRows(rows: readonly GridRow[], order: SortOrder): GridRow[] {
  return [...rows].sort((a, b) => {
    const [left = null, right = null] = [a.cells[order.index], b.cells[order.index]];
    const nulls = (left === null ? 1 : 0) - (right === null ? 1 : 0);
    const difference = nulls !== 0 || left === null ? nulls : compareCells(left, right, order.type) * (order.descending ? -1 : 1);
    return difference !== 0 ? difference : a.number - b.number;
  });
}

/** `onTrouble` hears whether rows in sight could not be fetched. */
export function rowSource(fetchRows: FetchRows, total: number, onTrouble?: (trouble: boolean) => void): RowSource {
  let running = new AbortController();
  let all: Promise<GridRow[]> | null = null;
  let sorted: { key: string; rows: Promise<GridRow[]> } | null = null;

  /** A page of long rows comes in several parts. */
  const page = async (from: number, to: number): Promise<GridRow[]> => {
    const rows: GridRow[] = [];
    while (from + rows.length < to) {
      const start = from + rows.length;
      const cells = await fetchRows(start, to - start, running.signal);
      if (cells.length === 0) break;
      rows.push(...cells.map((row, index) => ({ number: start + index, cells: row })));
    }
    return rows;
  };

  const paged = pagedReader(page, total, onTrouble);

  const loadAll = async (): Promise<GridRow[]> => {
    const rows: GridRow[] = [];
    while (rows.length < total) {
      const next = await page(rows.length, Math.min(rows.length + PAGE, total));
      if (next.length === 0) break;
      rows.push(...next);
    }
    return rows;
  };

  const allRows = (): Promise<GridRow[]> => {
    all ??= loadAll();
    all.catch(() => {
      // A failed load may be tried again by the next read.
      all = null;
      sorted = null;
    });
    return all;
  };

  return {
    read: async (from, to, order) => {
      if (!order) return paged.read(from, to);
      const rows = allRows();
      const key = `${order.index} ${order.descending}`;
      if (sorted?.key !== key) sorted = { key, rows: rows.then((loaded) => sortRows(loaded, order)) };
      return (await sorted.rows).slice(from, to);
    },
    sum: async (index) => plainExact(sumExact((await allRows()).flatMap(({ cells }) => parseExact(cells[index]) ?? []))),
    look: paged.look,
    retry: paged.retry,
    stop: () => {
      running.abort();
      running = new AbortController();
    },
  };
}

/** Rows as a spreadsheet takes them from the clipboard, names first, values whole. */
export function tabSeparated(columns: readonly { readonly name: string; readonly index: number }[], rows: readonly GridRow[]): string {
  const clean = (text: string) => text.replace(/[\t\r\n]+/g, ' ');
  const lines = [...rows].sort((a, b) => a.number - b.number).map(({ cells }) => columns.map(({ index }) => clean(fullText(cells[index] ?? null))));
  return [columns.map(({ name }) => clean(name)), ...lines].map((line) => line.join('\t')).join('\n');
}
