/** What the query page asks the server for. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { getJobLog, type LogLine } from '@/api/jobs';
import { request } from '@/api/request';
import type { Catalogue } from '@/query-kinds/catalogue';

export function useCatalogue(): UseQueryResult<Catalogue> {
  return useQuery({ queryKey: ['catalogue'], queryFn: ({ signal }) => request<Catalogue>('GET', '/api/engine/catalogue', { signal, quiet: true }), staleTime: 60_000 });
}

export function useJobLog(jobId: string | null, active: boolean): UseQueryResult<{ lines: LogLine[] }> {
  return useQuery({ queryKey: ['log', jobId, active], queryFn: () => getJobLog(jobId ?? ''), enabled: jobId !== null, refetchInterval: active ? 1_000 : false, placeholderData: keepPreviousData });
}
