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

/** The first rows of a result, its columns and its size. A former result of the same `scope` stays until they are here. */
export function useResult(source: ResultSource | null, scope = ''): UseQueryResult<ResultPage> {
  return useQuery({
    queryKey: ['result', source?.key, scope],
    queryFn: ({ signal }): Promise<ResultPage> => (source ? source.read(0, FIRST_ROWS, signal) : Promise.reject(new Error('there is no result'))),
    enabled: source !== null,
    staleTime: Infinity,
    placeholderData: (former: ResultPage | undefined, of) => (of?.queryKey[2] === scope ? former : undefined),
  });
}

/** The rows of a finished result from `offset` on; the first page is not asked for twice. */
export function useFetchRows(source: ResultSource | null, first: ResultPage | undefined): FetchRows {
  return useMemo<FetchRows>(
    () => async (offset, limit, signal) => {
      if (first && offset + limit <= first.rows.length) return first.rows.slice(offset, offset + limit);
      return source ? (await source.read(offset, limit, signal)).rows : [];
    },
    [source, first],
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

/** The result with the rows that charts are drawn from; undefined until they are here. */
export function useDrawnTable(source: ResultSource | null, first: ResultPage | undefined, fetchRows: FetchRows, wanted: boolean): ResultTable | undefined {
  const count = Math.min(first?.total ?? 0, DRAWN_ROWS);
  const complete = first !== undefined && first.rows.length >= count;
  const more = useQuery({
    queryKey: ['drawn', source?.key],
    queryFn: ({ signal }) => (source ? drawnRows(source, count, signal) : Promise.resolve([])),
    enabled: source !== null && wanted && first !== undefined && !complete,
    staleTime: Infinity,
  });
  const rows: readonly (readonly Cell[])[] | undefined = complete ? first.rows : more.data;
  return useMemo(() => (first && rows ? { columns: first.columns, rows, total: first.total, pages: { source: source?.key ?? '', fetchRows } } : undefined), [first, rows, source, fetchRows]);
}
