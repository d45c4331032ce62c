/** A job as it is now: asked for once, then followed live; asked again every two seconds while the live connection is away. */
import { useQuery } from '@tanstack/react-query';
import { getJob, isActive, newer, type Job } from '@/api/jobs';
import { ApiError } from '@/api/error';
import { useJob } from './jobs';
import { useLiveState } from './socket';

const pollMs = 2_000;

export interface JobNow {
  job: Job | undefined;
  /** The server does not know this job, or not for this person. */
  gone: boolean;
  /** Why it could not be asked for, and how to ask again; null while it can. */
  failed: { error: Error; retry: () => void } | null;
}

export function useJobState(jobId: string | null): JobNow {
  const heard = useJob(jobId ?? undefined);
  const connected = useLiveState() === 'open';
  const asked = useQuery({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => getJob(jobId ?? '', signal),
    enabled: jobId !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (!connected && state.data && isActive(state.data.state) ? pollMs : false),
  });
  const known = asked.data;
  const job = heard ? newer(known, heard) : known;
  const gone = asked.error instanceof ApiError && [403, 404].includes(asked.error.status);
  const failed = asked.error && !job ? { error: asked.error, retry: () => void asked.refetch() } : null;
  return { job: jobId === null ? undefined : job, gone, failed };
}
