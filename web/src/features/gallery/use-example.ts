/** An example's query, run once for a visit: its job is remembered, so that coming back costs nothing. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { messageOf } from '@/api/error';
import { executeQuery, type Job } from '@/api/jobs';
import { useFailures } from '@/i18n/failures';
import { readStored, writeStored } from '@/lib/storage';
import { useJobState } from '@/live/use-job-state';
import type { ResultTable } from '@/viz/types';
import { resultOfJob, useDrawnTable, useFetchRows, useResult } from '@/viz/use-result-table';
import type { Example } from './examples';

const keyOf = (example: Example) => `quarry.gallery.${example.chart.type}`;

/** The remembered job, as long as the query is the same. */
function remembered(example: Example): string | null {
  const [jobId, ...sql] = (readStored(keyOf(example)) ?? '').split('\n');
  return jobId && sql.join('\n') === example.sql ? jobId : null;
}

export interface ExampleState {
  job: Job | undefined;
  table: ResultTable | undefined;
  error: string | null;
  retry: () => void;
}

/** Runs the query as soon as `wanted`, where nobody has run it before; lists of jobs call it by the title. */
export function useExample(example: Example, title: string, wanted: boolean): ExampleState {
  const [jobId, setJobId] = useState(() => remembered(example));
  const tell = useFailures();
  const run = useMutation({
    mutationFn: () => executeQuery('SQL', example.sql, { title }),
    onSuccess: (started) => {
      writeStored(keyOf(example), `${started.jobId}\n${example.sql}`);
      setJobId(started.jobId);
    },
  });
  const { job, gone, failed: missed } = useJobState(wanted ? jobId : null);
  const { mutate, isPending, isError } = run;
  const lost = gone || job?.state === 'KILLED';
  useEffect(() => {
    if (wanted && (jobId === null || lost) && !isPending && !isError) mutate();
  }, [wanted, jobId, lost, isPending, isError, mutate]);

  const finished = job?.state === 'SUCCEEDED' ? job.jobId : null;
  const source = useMemo(() => (finished === null ? null : resultOfJob(finished)), [finished]);
  const result = useResult(source);
  const fetchRows = useFetchRows(result.data);
  const rows = useDrawnTable(result.data, fetchRows, true);
  const error = run.error ?? result.error ?? rows.error ?? (gone ? null : (missed?.error ?? null));
  const failed = job?.state === 'FAILED' ? tell(job) : null;
  const retry = () => {
    if (missed && !gone) missed.retry();
    else if (rows.error) rows.retry();
    else mutate();
  };
  return { job, table: finished === null ? undefined : rows.table, error: error ? messageOf(error) : failed, retry };
}
