/** The rows that charts are drawn from: of one finished job's result, or of a result that somebody shares. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getResult, type ResultPage } from '@/api/jobs';
import type { Cell } from '@/lib/columns';
import type { FetchRows } from '@/ui/grid-rows';
import type { ResultTable } from './types';

const FIRST_ROWS = 200;
/** Rows a chart is drawn from; of longer results it says so. */
export const DRAWN_ROWS = 50_000;
/** Most rows of one answer of the server. */
const PAGE = 10_000;

/** A stored result, wherever its rows come from. */
export interface ResultSource {
  /** Tells it from every other result. */
  readonly key: string;
  readonly read: (offset: number, limit: number, signal: AbortSignal) => Promise<ResultPage>;
}

export const resultOfJob = (jobId: string): ResultSource => ({ key: jobId, read: (offset, limit, signal) => getResult(jobId, offset, limit, signal) });

/** The first rows of a result, its columns and its size, with the source of its other rows. */
export interface FirstRows {
  readonly source: ResultSource;
  readonly page: ResultPage;
}

/** What a result begins with. A former result of the same `scope` stays until that is here, with its own source: rows of two results never mix. */
export function useResult(source: ResultSource | null, scope = ''): UseQueryResult<FirstRows> {
  return useQuery({
    queryKey: ['result', source?.key, scope],
    queryFn: async ({ signal }): Promise<FirstRows> => {
      if (!source) throw new Error('there is no result');
      return { source, page: await source.read(0, FIRST_ROWS, signal) };
    },
    enabled: source !== null,
    staleTime: Infinity,
    placeholderData: (former: FirstRows | undefined, of) => (of?.queryKey[2] === scope ? former : undefined),
  });
}

/** The rows of a finished result from `offset` on; the first page is not asked for twice. */
export function useFetchRows(first: FirstRows | undefined): FetchRows {
  return useMemo<FetchRows>(
    () => async (offset, limit, signal) => {
      if (!first) return [];
      const { source, page } = first;
      if (offset + limit <= page.rows.length) return page.rows.slice(offset, offset + limit);
      return (await source.read(offset, limit, signal)).rows;
    },
    [first],
  );
}

async function drawnRows(source: ResultSource, wanted: number, signal: AbortSignal): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  while (rows.length < wanted) {
    const page = await source.read(rows.length, Math.min(PAGE, wanted - rows.length), signal);
    if (page.rows.length === 0) break;
    for (const row of page.rows) rows.push(row);
  }
  return rows;
}

/** The result with the rows that charts are drawn from. */
export interface DrawnRows {
  /** Undefined until the rows are here. */
  readonly table: ResultTable | undefined;
  /** Why they can't be here; those behind the first may fail alone. */
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useDrawnTable(first: FirstRows | undefined, fetchRows: FetchRows, wanted: boolean): DrawnRows {
  const page = first?.page;
  const count = Math.min(page?.total ?? 0, DRAWN_ROWS);
  const complete = page !== undefined && page.rows.length >= count;
  const more = useQuery({
    queryKey: ['drawn', first?.source.key],
    queryFn: ({ signal }) => (first ? drawnRows(first.source, count, signal) : Promise.resolve([])),
    enabled: wanted && page !== undefined && !complete,
    staleTime: Infinity,
  });
  const rows: readonly (readonly Cell[])[] | undefined = complete ? page.rows : more.data;
  const table = useMemo(() => (first && rows ? { columns: first.page.columns, rows, total: first.page.total, pages: { source: first.source.key, fetchRows } } : undefined), [first, rows, fetchRows]);
  return { table, error: table ? null : more.error, retry: () => void more.refetch() };
}
