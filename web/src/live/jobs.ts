// Progress of jobs over the websocket: the last snapshot first, then every change.
import { useEffect, useState } from 'react';
import type { Job } from '@/api/jobs';
import { live } from './socket';

export { isActive, type Job, type JobKind, type JobState } from '@/api/jobs';

/** Hears a job's snapshots from now on, the present one first, also after a broken connection. */
export function watchJob(jobId: string, listener: (job: Job) => void): () => void {
  const stopListening = live.listen((message) => {
    if (message.type !== 'job.progress') return;
    const job = message.data as Job;
    if (job.jobId === jobId) listener(job);
  });
  const stopKeeping = live.keep(`job ${jobId}`, { type: 'job.subscribe', data: { jobId } });
  return () => {
    stopKeeping();
    stopListening();
  };
}

/** Keeps the connection open while a page that wants to say whether it is live is on show. */
export const keepLive = (): (() => void) => live.listen(() => undefined);

/** The newest snapshot of a job heard live; undefined before the first and without a job. */
export function useJob(jobId: string | undefined): Job | undefined {
  const [job, setJob] = useState<Job>();
  useEffect(() => (jobId === undefined ? undefined : watchJob(jobId, setJob)), [jobId]);
  return job?.jobId === jobId ? job : undefined;
}
