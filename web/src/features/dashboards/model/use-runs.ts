// Runs that a page of a dashboard started: one per query and set of values, however many widgets show it.
import { useCallback, useState } from 'react';
import { messageOf } from '@/api/error';

export interface Run {
  /** Null until the server has taken the run on. */
  readonly jobId: string | null;
  readonly error: string | null;
}

export type Runs = ReadonlyMap<string, Run>;

/** What a run is known by: its query and the values it was given, in one order. */
export function runKey(queryId: string, values: Record<string, unknown> | null): string {
  const sorted = values === null ? [] : Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([queryId, ...sorted]);
}

export interface RunStore {
  readonly runs: Runs;
  /** Starts what is not under way or done yet. */
  readonly start: (key: string, send: () => Promise<string>) => void;
  /** Notes a run that somebody else started. */
  readonly note: (key: string, jobId: string) => void;
  /** Forgets the runs with errors, so that they can be tried again. */
  readonly forget: (key: string) => void;
}

export function useRuns(): RunStore {
  const [runs, setRuns] = useState<Runs>(new Map());
  const set = useCallback((key: string, run: Run | null) => {
    setRuns((now) => {
      const next = new Map(now);
      if (run) next.set(key, run);
      else next.delete(key);
      return next;
    });
  }, []);
  const note = useCallback((key: string, jobId: string) => set(key, { jobId, error: null }), [set]);
  const forget = useCallback((key: string) => set(key, null), [set]);
  const start = useCallback(
    (key: string, send: () => Promise<string>) => {
      set(key, { jobId: null, error: null });
      send().then(
        (jobId) => set(key, { jobId, error: null }),
        (error: unknown) => set(key, { jobId: null, error: messageOf(error) }),
      );
    },
    [set],
  );
  return { runs, start, note, forget };
}
