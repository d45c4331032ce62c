/** Jobs as the server shows them, and the calls on them. */
import type { Cell, Column } from '@/lib/columns';
import { request } from './request';

export type JobState = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'KILLED';

export type JobKind = 'SQL' | 'HIVE' | 'GRAPH' | 'MAPREDUCE' | 'LABEL';

export interface TextPosition {
  /** Counted from 1. */
  line: number;
  /** Counted from 1, in characters. */
  column: number;
}

/** What a job has read and written so far. */
export interface JobDetail {
  /** 0 to 100; null while the total is unknown. */
  percent: number | null;
  /** `queued`, `planning`, `reading`, `aggregating`, `sorting`, `joining`, `writing`; empty at the end. */
  stage: string;
  rowsRead: number;
  rowsTotal: number | null;
  bytesRead: number;
  bytesTotal: number | null;
  rowsOut: number;
}

/** Times are milliseconds since 1970. */
export interface Job {
  jobId: string;
  kind: JobKind;
  state: JobState;
  /** 0 to 100; 0 while the total is unknown. */
  progress: number;
  /** Null for a job of an earlier start of the server. */
  detail: JobDetail | null;
  createTime: number;
  startTime: number | null;
  finishTime: number | null;
  elapsedMs: number;
  /** Rows of the result; null until the job succeeded. */
  rows: number | null;
  /** Why the job failed, else empty. */
  message: string;
  code: string | null;
  position: TextPosition | null;
  /** The field of the spec that the failure is about. */
  param?: string | null;
  /** What it was called when it ran, what a form names, or what its text starts with; see `titleOf`. */
  title: string;
  /** The whole text, only where one job is asked for. */
  text?: string;
  /** What a job of a kind without a text runs. */
  spec?: object | null;
  /** The values it ran with, only where one job is asked for. */
  parameters?: Record<string, unknown> | null;
  userName: string;
  /** Grows with every change while the job runs. */
  version: number;
}

export interface ResultPage {
  columns: Column[];
  rows: Cell[][];
  total: number;
}

export interface LogLine {
  /** Milliseconds since 1970. */
  time: number;
  text: string;
}

export interface JobFilter {
  kind?: JobKind | undefined;
  state?: JobState | undefined;
  page: number;
  size: number;
}

export type DownloadFormat = 'csv' | 'xlsx' | 'json' | 'parquet' | 'arrow';

/** Whether a job in this state still changes. */
export const isActive = (state: JobState): boolean => state === 'QUEUED' || state === 'RUNNING';

/** What lists call a job; empty for a form that names nothing, of which the server only has the fields. */
export const titleOf = ({ title }: Pick<Job, 'title'>): string => (title.trimStart().startsWith('{') ? '' : title.trim());

/** The snapshot that tells more: a message on its way may be older than what is known. */
export function newer(known: Job | undefined, next: Job): Job {
  if (known?.jobId !== next.jobId) return next;
  if (!isActive(known.state) && isActive(next.state)) return known;
  return next.version >= known.version || !isActive(next.state) ? { ...known, ...next } : known;
}

const path = (jobId: string) => `/api/job/${encodeURIComponent(jobId)}`;

/** What a run takes beside its kind and text. */
export interface Execution {
  /** Of the kinds without a text. */
  spec?: object | null;
  /** Values of the text's parameters. */
  parameters?: Record<string, unknown>;
  /** The saved query it belongs to. */
  queryId?: string | null;
  /** What lists of jobs call it, where no saved query does. */
  title?: string;
}

export const executeQuery = (kind: JobKind, text: string, { spec = null, parameters = {}, queryId = null, title = '' }: Execution = {}): Promise<{ jobId: string }> =>
  request('POST', '/api/query/execute', {
    body: { kind, ...(spec === null ? { text } : { spec }), ...(Object.keys(parameters).length > 0 ? { parameters } : {}), ...(queryId === null ? {} : { queryId }), ...(title === '' ? {} : { title }) },
    quiet: true,
  });

export const getJob = (jobId: string, signal?: AbortSignal): Promise<Job> => request('GET', path(jobId), signal ? { signal, quiet: true } : { quiet: true });

export const killJob = (jobId: string): Promise<Job> => request('POST', `${path(jobId)}/kill`);

export const getJobLog = (jobId: string): Promise<{ lines: LogLine[] }> => request('GET', `${path(jobId)}/log`, { quiet: true });

/** The nodes and edges of a GRAPH job's result, the first of them where there are many. */
export interface ResultGraph {
  nodes: { id: string; labels: string[]; properties: Record<string, unknown> }[];
  edges: { id: number | string; type: string; source: string; target: string; properties: Record<string, unknown> }[];
  nodesTotal: number;
  edgesTotal: number;
}

export const getJobGraph = (jobId: string, signal?: AbortSignal): Promise<ResultGraph> => request('GET', `${path(jobId)}/graph`, signal ? { signal, quiet: true } : { quiet: true });

export const listJobs = (filter: JobFilter, signal: AbortSignal): Promise<{ items: Job[]; total: number }> => request('GET', '/api/job/list', { query: { ...filter }, signal, quiet: true });

export const getResult = (jobId: string, offset: number, limit: number, signal?: AbortSignal): Promise<ResultPage> =>
  request('GET', `${path(jobId)}/result`, { query: { offset, limit }, quiet: true, ...(signal ? { signal } : {}) });

/** Has the browser save the whole result; it is streamed and never held in the page. */
export async function downloadResult(jobId: string, format: DownloadFormat): Promise<void> {
  const { ticket } = await request<{ ticket: string }>('POST', '/api/file/ticket', { body: { purpose: 'download', jobId } });
  const link = document.createElement('a');
  link.href = `${path(jobId)}/download?${new URLSearchParams({ format, ticket }).toString()}`;
  link.download = '';
  link.click();
}
