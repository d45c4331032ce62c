/** The rows that charts are drawn from, of one finished job's result. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { getResult, type ResultPage } from '@/api/jobs';
import type { Cell } from '@/lib/columns';
import type { FetchRows } from '@/ui/grid-rows';
import type { ResultTable } from './types';

const FIRST_ROWS = 200;
/** Rows a chart is drawn from; of longer results it says so. */
export const DRAWN_ROWS = 50_000;
/** Most rows of one answer of the server. */
const PAGE = 10_000;

/** The first rows of a result, its columns and its size. */
export function useResult(jobId: string | null): UseQueryResult<ResultPage> {
  return useQuery({ queryKey: ['result', jobId], queryFn: ({ signal }) => getResult(jobId ?? '', 0, FIRST_ROWS, signal), enabled: jobId !== null, staleTime: Infinity, placeholderData: keepPreviousData });
}

/** The rows of a finished result from `offset` on; the first page is not asked for twice. */
export function useFetchRows(jobId: string | null, first: ResultPage | undefined): FetchRows {
  return useCallback<FetchRows>(
    async (offset, limit, signal) => {
      if (first && offset + limit <= first.rows.length) return first.rows.slice(offset, offset + limit);
      return (await getResult(jobId ?? '', offset, limit, signal)).rows;
    },
    [jobId, first],
  );
}

async function drawnRows(jobId: string, wanted: number, signal: AbortSignal): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  while (rows.length < wanted) {
    const page = await getResult(jobId, rows.length, Math.min(PAGE, wanted - rows.length), signal);
    if (page.rows.length === 0) break;
    for (const row of page.rows) rows.push(row);
  }
  return rows;
}

/** The result with the rows that charts are drawn from; undefined until they are here. */
export function useDrawnTable(jobId: string | null, first: ResultPage | undefined, fetchRows: FetchRows, wanted: boolean): ResultTable | undefined {
  const count = Math.min(first?.total ?? 0, DRAWN_ROWS);
  const complete = first !== undefined && first.rows.length >= count;
  const more = useQuery({
    queryKey: ['drawn', jobId],
    queryFn: ({ signal }) => drawnRows(jobId ?? '', count, signal),
    enabled: jobId !== null && wanted && first !== undefined && !complete,
    staleTime: Infinity,
  });
  const rows: readonly (readonly Cell[])[] | undefined = complete ? first.rows : more.data;
  return useMemo(() => (first && rows ? { columns: first.columns, rows, total: first.total, pages: { source: jobId ?? '', fetchRows } } : undefined), [first, rows, jobId, fetchRows]);
}
