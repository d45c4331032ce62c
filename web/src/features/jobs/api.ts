/** What the job list asks the server for. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { isActive, listJobs, type Job, type JobFilter } from '@/api/jobs';
import { useLiveState } from '@/live/socket';

const refreshMs = 5_000;

/** One page of the person's jobs; asked again every five seconds while one of them runs, or while another may have started. */
export function useJobs(filter: JobFilter, enabled: boolean): UseQueryResult<{ items: Job[]; total: number }> {
  const connected = useLiveState() === 'open';
  return useQuery({
    queryKey: ['jobs', 'list', filter],
    queryFn: ({ signal }) => listJobs(filter, signal),
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (!connected || state.data?.items.some((job) => isActive(job.state)) ? refreshMs : 4 * refreshMs),
  });
}
