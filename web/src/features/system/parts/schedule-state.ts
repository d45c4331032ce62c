// What a schedule is like now, in the one word that matters most.
import type { Schemas } from '@/api/call';

export type Condition = 'running' | 'late' | 'failed' | 'paused' | 'ok' | 'waiting';

/** As on the server: a query that should have started a minute ago is late. */
const lateMs = 60_000;

export function conditionOf(row: Pick<Schemas['ScheduleRow'], 'activeJobs' | 'paused' | 'nextRunTime' | 'runs'>, now: number): Condition {
  if (row.activeJobs > 0) return 'running';
  if (row.paused) return 'paused';
  if (typeof row.nextRunTime === 'number' && row.nextRunTime < now - lateMs) return 'late';
  const last = row.runs.at(-1);
  if (!last) return 'waiting';
  return last.state === 'FAILED' ? 'failed' : 'ok';
}

/** How long a run took in milliseconds, or so far; null before it starts. */
export function elapsedOf(run: Pick<Schemas['RunMark'], 'startTime' | 'finishTime' | 'elapsedMs'> | undefined, now: number): number | null {
  if (typeof run?.elapsedMs === 'number') return run.elapsedMs;
  return typeof run?.startTime === 'number' && typeof run.finishTime !== 'number' ? Math.max(0, now - run.startTime) : null;
}
