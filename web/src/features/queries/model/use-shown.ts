/** The result on show: of the last run here, else the stored one that the query's viewers see. */
import { useMemo } from 'react';
import { getShownResult } from '@/api/queries';
import { useSession } from '@/lib/session';
import { useJobState } from '@/live/use-job-state';
import type { FetchRows } from '@/ui/grid-rows';
import { resultOfJob, useDrawnTable, useFetchRows, useResult, type DrawnRows, type ResultSource } from '@/viz/use-result-table';
import type { ShownResult } from '../parts/result-panel';
import type { Draft } from './drafts';
import type { Saved } from './use-saved';

interface Shown {
  result: ShownResult;
  fetchRows: FetchRows;
  /** What charts are drawn from. */
  rows: DrawnRows;
  /** A newer run works or has failed: the rows are those of an earlier one. */
  former: boolean;
}

export function useShown(draft: Draft, saved: Saved, drawn: boolean): Shown {
  const visitor = useSession().token === null;
  const jobId = visitor ? null : draft.resultJob;
  const stored = jobId === null ? (saved.query?.shown ?? null) : null;
  const queryId = stored === null ? undefined : draft.query?.id;
  const share = draft.viewing?.share ?? null;
  const source = useMemo<ResultSource | null>(() => {
    if (jobId !== null) return resultOfJob(jobId);
    if (queryId === undefined || !stored) return null;
    return { key: `${queryId} ${stored.jobId}`, read: (offset, limit, signal) => getShownResult(queryId, share, offset, limit, signal) };
  }, [jobId, queryId, stored, share]);

  const job = useJobState(jobId).job;
  const result = useResult(source, draft.id);
  const first = source === null ? undefined : result.data;
  const fetchRows = useFetchRows(first);
  const rows = useDrawnTable(first, fetchRows, drawn);
  const data = first?.page;
  const cutAt = (data as { cutAt?: string | null } | undefined)?.cutAt ?? null;
  return {
    result: {
      key: first?.source.key ?? '',
      data,
      error: result.error,
      loading: source !== null && result.isLoading,
      retry: () => void result.refetch(),
      finishTime: stored?.finishTime ?? job?.finishTime ?? null,
      elapsedMs: job?.elapsedMs ?? null,
      jobId,
      cutAt,
    },
    fetchRows,
    rows,
    former: draft.job !== null && draft.job.id !== draft.resultJob && data !== undefined,
  };
}
