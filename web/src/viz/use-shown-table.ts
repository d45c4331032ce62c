/** The rows of a stored result that somebody may see, as a table for drawing: one load for all that draw the same run. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Cell, Column } from '@/lib/columns';
import type { FetchRows } from '@/ui/grid-rows';
import type { ResultTable, VizId } from './types';
import { DRAWN_ROWS } from './use-result-table';

export interface ShownPage {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly total: number;
  /** `YYYY-MM-DD HH:mm:ss` where the rows end for readers without a login. */
  readonly cutAt: string | null;
}

export interface ShownSource {
  /** The run whose rows these are; equal keys are loaded once. */
  readonly key: string;
  readonly read: (offset: number, limit: number, signal: AbortSignal) => Promise<ShownPage>;
}

export interface ShownTable {
  table: ResultTable | undefined;
  cutAt: string | null;
  error: Error | null;
  retry: () => void;
}

const FIRST = 1_000;
const PAGE = 10_000;

/** Tables read on page by page and counters take one row; what is drawn as a whole needs its rows at once. */
const isWhole = (type: VizId): boolean => type !== 'table';

async function rest({ read }: ShownSource, first: ShownPage, signal: AbortSignal): Promise<ShownPage> {
  const rows = [...first.rows];
  const wanted = Math.min(first.total, DRAWN_ROWS);
  while (rows.length < wanted) {
    const page = await read(rows.length, Math.min(PAGE, wanted - rows.length), signal);
    if (page.rows.length === 0) break;
    for (const row of page.rows) rows.push(row);
  }
  return { ...first, rows };
}

/** `source` stays the same object as long as it means the same; null shows nothing yet. */
export function useShownTable(source: ShownSource | null, type: VizId): ShownTable {
  const first = useQuery({
    queryKey: ['shown', source?.key],
    queryFn: ({ signal }) => (source as ShownSource).read(0, FIRST, signal),
    enabled: source !== null,
    staleTime: Infinity,
  });
  const short = first.data !== undefined && first.data.rows.length < Math.min(first.data.total, DRAWN_ROWS);
  const needsMore = isWhole(type) && short;
  const all = useQuery({
    queryKey: ['shown', source?.key, 'all'],
    queryFn: ({ signal }) => rest(source as ShownSource, first.data as ShownPage, signal),
    enabled: source !== null && needsMore,
    staleTime: Infinity,
  });
  const page = needsMore ? all.data : first.data;
  const fetchRows = useCallback<FetchRows>(
    async (offset, limit, signal) => {
      if (page && offset + limit <= page.rows.length) return page.rows.slice(offset, offset + limit);
      return source ? (await source.read(offset, limit, signal)).rows : [];
    },
    [page, source],
  );
  const table = useMemo(() => (page && source ? { columns: page.columns, rows: page.rows, total: page.total, pages: { source: source.key, fetchRows } } : undefined), [page, source, fetchRows]);
  return { table, cutAt: page?.cutAt ?? null, error: first.error ?? all.error, retry: () => void (first.error ? first.refetch() : all.refetch()) };
}
