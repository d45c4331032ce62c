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

/** The person's newest HIVE or MAPREDUCE job that runs, and how to take its ring away. */
export function useBadge(): [Badge | null, () => void] {
  const [jobId, setJobId] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  // What ran before this page was opened.
  const first = useQuery({
    queryKey: ['jobs', 'long'],
    queryFn: ({ signal }) => call('get', '/api/job/list', { query: { state: 'RUNNING', size: running }, signal, quiet: true }),
    staleTime: Infinity,
  }).data?.items.find((job) => kindOf(job.kind))?.jobId;

  useEffect(
    () =>
      live.listen(({ type, data }) => {
        if (type !== 'job.state') return;
        const job = data as Job;
        if (kindOf(job.kind) && job.state === 'RUNNING') setJobId(job.jobId);
      }),
    [],
  );

  const followed = jobId ?? first ?? null;
  const { job } = useJobState(followed);
  const kind = job && isActive(job.state) ? kindOf(job.kind) : undefined;
  const shown = job && kind && job.jobId !== dismissed ? { jobId: job.jobId, kind, percent: Math.min(100, Math.floor(job.progress)) } : null;
  return [shown, () => setDismissed(followed)];
}
