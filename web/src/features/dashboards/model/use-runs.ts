// Runs that a page of a dashboard started: one per query and set of values, however many widgets show it.
import { useCallback, useRef, useState } from 'react';
import { messageOf } from '@/api/error';

export interface Run {
  /** Null until the server has taken the run on. */
  readonly jobId: string | null;
  readonly error: string | null;
  /** The run that viewers saw when this one was asked for. */
  readonly after: string | null;
}

export type Runs = ReadonlyMap<string, Run>;

/** What a run is known by: its query and the values it was given, in one order. */
export function runKey(queryId: string, values: Record<string, unknown> | null): string {
  const sorted = values === null ? [] : Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([queryId, ...sorted]);
}

/** Whether viewers see a run of the query that began after this one. Ids of jobs sort by when they began. */
export function isOutdated({ jobId, error, after }: Run, shown: string | null): boolean {
  if (shown === null || shown === after) return false;
  return jobId === null ? error !== null : shown > jobId;
}

export interface RunStore {
  readonly runs: Runs;
  /** Starts what is not under way or done yet. */
  readonly start: (key: string, after: string | null, send: () => Promise<string>) => void;
  /** Notes a run that somebody else started. */
  readonly note: (key: string, after: string | null, jobId: string) => void;
  /** Forgets the runs with errors, so that they can be tried again. */
  readonly forget: (key: string) => void;
}

export function useRuns(): RunStore {
  const [runs, setRuns] = useState<Runs>(new Map());
  /** What was asked last of each key: an answer to what was asked before says nothing any more. */
  const asked = useRef(new Map<string, symbol>());
  const set = useCallback((key: string, run: Run | null) => {
    setRuns((now) => {
      const next = new Map(now);
      if (run) next.set(key, run);
      else next.delete(key);
      return next;
    });
  }, []);
  const note = useCallback(
    (key: string, after: string | null, jobId: string) => {
      asked.current.delete(key);
      set(key, { jobId, error: null, after });
    },
    [set],
  );
  const forget = useCallback(
    (key: string) => {
      asked.current.delete(key);
      set(key, null);
    },
    [set],
  );
  const start = useCallback(
    (key: string, after: string | null, send: () => Promise<string>) => {
      const turn = Symbol(key);
      asked.current.set(key, turn);
      const settle = (run: Run) => {
        if (asked.current.get(key) === turn) set(key, run);
      };
      set(key, { jobId: null, error: null, after });
      send().then(
        (jobId) => settle({ jobId, error: null, after }),
        (error: unknown) => settle({ jobId: null, error: messageOf(error), after }),
      );
    },
    [set],
  );
  return { runs, start, note, forget };
}
