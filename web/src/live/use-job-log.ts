/** What a job said: asked for once, then heard live. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getJobLog, type LogLine } from '@/api/jobs';
import { live, useLiveState } from './socket';

interface JobLog {
  lines: LogLine[];
}

const logTypes: readonly string[] = ['hive.log', 'mr.log'];
const pollMs = 2_000;

/** Lines and those that came after them: an answer may hold some that are told again. */
function joined(before: LogLine[], more: LogLine[]): JobLog {
  const last = before.at(-1)?.time ?? 0;
  const news = more.filter((line) => line.time > last || (line.time === last && !before.some((one) => one.time === last && one.text === line.text)));
  return { lines: [...before, ...news] };
}

/**
 * Kinds whose jobs `tell` what they say are heard, the others are asked again while they run; and every job once more at its
 * end. That last answer is a query of its own: one that is still on its way from before would be taken for it.
 */
export function useJobLog(jobId: string | null, active: boolean, tells: boolean): UseQueryResult<JobLog> {
  const client = useQueryClient();
  const connected = useLiveState() === 'open';
  useEffect(() => {
    if (jobId === null || !active) return;
    return live.listen(({ type, data }) => {
      const said = data as JobLog & { jobId: string };
      if (!logTypes.includes(type) || said.jobId !== jobId) return;
      client.setQueryData<JobLog>(['log', jobId, true], (known) => joined(known?.lines ?? [], said.lines));
    });
  }, [client, jobId, active]);
  return useQuery({
    queryKey: ['log', jobId, active],
    queryFn: async () => {
      const { lines } = await getJobLog(jobId ?? '');
      // What was told while the answer was on its way may not be in it.
      return joined(lines, client.getQueryData<JobLog>(['log', jobId, active])?.lines ?? []);
    },
    enabled: jobId !== null,
    placeholderData: (before, of) => (of?.queryKey[1] === jobId ? before : undefined),
    refetchInterval: active && !(connected && tells) ? pollMs : false,
  });
}
