/** What the query page asks the server for. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { getJobLog, getResult, type LogLine, type ResultPage } from '@/api/jobs';
import { request } from '@/api/request';
import type { Cell } from '@/lib/columns';
import type { Catalogue } from '@/query-kinds/catalogue';
import type { FetchRows } from '@/ui/grid-rows';
import type { ResultTable } from '@/viz/types';

const FIRST_ROWS = 200;
/** Rows a chart is drawn from. */
const DRAWN_ROWS = 5_000;

export function useCatalogue(): UseQueryResult<Catalogue> {
  return useQuery({ queryKey: ['catalogue'], queryFn: ({ signal }) => request<Catalogue>('GET', '/api/engine/catalogue', { signal, quiet: true }), staleTime: 60_000 });
}

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

/** The result with the rows that charts are drawn from; undefined until they are here. */
export function useDrawnTable(jobId: string | null, first: ResultPage | undefined, fetchRows: FetchRows, wanted: boolean): ResultTable | undefined {
  const complete = first !== undefined && first.rows.length >= Math.min(first.total, DRAWN_ROWS);
  const more = useQuery({
    queryKey: ['drawn', jobId],
    queryFn: ({ signal }) => getResult(jobId ?? '', 0, DRAWN_ROWS, signal),
    enabled: jobId !== null && wanted && first !== undefined && !complete,
    staleTime: Infinity,
  });
  const rows: readonly (readonly Cell[])[] | undefined = complete ? first.rows : more.data?.rows;
  return useMemo(() => (first && rows ? { columns: first.columns, rows, total: first.total, pages: { source: jobId ?? '', fetchRows } } : undefined), [first, rows, jobId, fetchRows]);
}

export function useJobLog(jobId: string | null, active: boolean): UseQueryResult<{ lines: LogLine[] }> {
  return useQuery({ queryKey: ['log', jobId, active], queryFn: () => getJobLog(jobId ?? ''), enabled: jobId !== null, refetchInterval: active ? 1_000 : false, placeholderData: keepPreviousData });
}
