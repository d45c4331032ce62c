// The long query that runs now, for the ring on the feedback button.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '@/api/call';
import { isActive, type Job } from '@/api/jobs';
import { useJobState } from '@/live/use-job-state';
import { live } from '@/live/socket';

export interface Badge {
  jobId: string;
  kind: 'HIVE' | 'MAPREDUCE';
  /** 0 to 100. */
  percent: number;
}

const long = ['HIVE', 'MAPREDUCE'] as const;
const running = 50;

const kindOf = (kind: string): Badge['kind'] | undefined => long.find((one) => one === kind);

/** The person's newest HIVE or MAPREDUCE job that runs, and how to take the ring away, until another one starts. */
export function useBadge(): [Badge | null, () => void] {
  /** Newest first. */
  const [started, setStarted] = useState<readonly string[]>([]);
  /** Those that ended, or whose ring was taken away. */
  const [over, setOver] = useState<readonly string[]>([]);
  // What ran before this page was opened.
  const before = useQuery({
    queryKey: ['jobs', 'long'],
    queryFn: ({ signal }) => call('get', '/api/job/list', { query: { state: 'RUNNING', size: running }, signal, quiet: true }),
    staleTime: Infinity,
  }).data?.items.filter((job) => kindOf(job.kind));

  useEffect(
    () =>
      live.listen(({ type, data }) => {
        if (type !== 'job.state') return;
        const { jobId, kind, state } = data as Job;
        if (!kindOf(kind)) return;
        if (state === 'RUNNING') setStarted((now) => (now.includes(jobId) ? now : [jobId, ...now]));
        else if (!isActive(state)) setOver((now) => [...now, jobId]);
      }),
    [],
  );

  const all = [...started, ...(before ?? []).map(({ jobId }) => jobId)];
  // While one still runs, the end of a newer one takes the ring to it.
  const followed = all.find((id) => !over.includes(id)) ?? null;
  const { job } = useJobState(followed);
  const kind = job && isActive(job.state) ? kindOf(job.kind) : undefined;
  return [job && kind ? { jobId: job.jobId, kind, percent: Math.min(100, Math.floor(job.progress)) } : null, () => setOver(all)];
}
