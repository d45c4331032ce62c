/** Runs a query to its end. */
import { executeQuery, getJob, getJobGraph, getResult, isActive, killJob, type JobKind, type ResultGraph, type ResultPage } from '@/api/jobs';
import { MOST_LINKS } from './model';

/** Why a query of a model has no rows. */
export class QueryFailed extends Error {
  override name = 'QueryFailed';
}

const firstPauseMs = 100;
const longestPauseMs = 1000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(new DOMException('The page was left.', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave);
  });

/** The id of the job once it succeeded; lists call it by the title. A job that nobody waits for any more is stopped. */
async function finished(kind: JobKind, text: string, title: string, signal: AbortSignal): Promise<string> {
  const { jobId } = await executeQuery(kind, text, { title });
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const job = await getJob(jobId, signal);
      if (job.state === 'SUCCEEDED') return jobId;
      if (!isActive(job.state)) throw new QueryFailed(job.message);
      await pause(pauseMs, signal);
    }
  } catch (error) {
    if (signal.aborted) killJob(jobId).catch((failure: unknown) => console.warn('A query could not be stopped', failure));
    throw error;
  }
}

export async function runRows(text: string, title: string, signal: AbortSignal): Promise<ResultPage> {
  const jobId = await finished('SQL', text, title, signal);
  return getResult(jobId, 0, MOST_LINKS, signal);
}

export async function runGraph(text: string, title: string, signal: AbortSignal): Promise<ResultGraph> {
  const jobId = await finished('GRAPH', text, title, signal);
  return getJobGraph(jobId, signal);
}
