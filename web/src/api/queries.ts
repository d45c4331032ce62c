/** Saved queries, their versions and runs, drafts, and visualizations: the calls of the query page. */
import { call, type Schemas } from './call';
import type { ResultPage } from './jobs';

export type QueryText = Schemas['QueryText'];
export type Parameter = Schemas['Parameter'];
export type ParameterType = Schemas['ParameterType'];
export type Strategy = Schemas['Strategy'];
export type Visibility = Schemas['Visibility'];
export type StoredDraft = Schemas['Draft'];
export type QueryChange = Schemas['QueryChange'];
export type NewQuery = Schemas['NewQuery'];
export type Viz = Schemas['Viz'];
export type Run = Schemas['RunView'];
export type Version = Schemas['VersionView'];
export type Ancestor = Schemas['Origin'];

export const STRATEGIES: readonly Strategy[] = ['manual', 'hourly', 'daily', 'weekly', 'cron'];
export const VISIBILITIES: readonly Visibility[] = ['private', 'link', 'public'];

/** A saved query with its visualizations. */
export type SavedQuery = Awaited<ReturnType<typeof getQuery>>;
export type SavedVisualization = SavedQuery['visualizations'][number];

const shared = (id: string, share: string | null) => (share === null ? { id } : { id, share });

export const getQuery = (id: string, share: string | null, signal?: AbortSignal) =>
  call('get', '/api/query/detail', { query: shared(id, share), quiet: true, ...(signal ? { signal } : {}) });

export const createQuery = (query: NewQuery): Promise<SavedQuery> => call('post', '/api/query/create', { body: query, quiet: true });

/** Rejects with the code `conflict` and the state as it is now when `revision` is not the newest. */
export const updateQuery = (change: QueryChange): Promise<SavedQuery> => call('patch', '/api/query/update', { body: change, quiet: true });

export const setVisibility = (id: string, visibility: Visibility) => call('post', '/api/creation/visibility/set', { body: { id, visibility } });

export const forkQuery = (id: string, share: string | null): Promise<SavedQuery> => call('post', '/api/query/fork', { body: shared(id, share) });

export const getLineage = (id: string, share: string | null) => call('get', '/api/query/lineage', { query: shared(id, share), quiet: true });

export const listRuns = (id: string, page: number, size: number) => call('get', '/api/query/run/list', { query: { id, page, size }, quiet: true });

export const restoreRun = (id: string, jobId: string): Promise<SavedQuery> => call('post', '/api/query/run/restore', { body: { id, jobId } });

/** Runs a query as it is saved. */
export const startRun = (id: string, parameters: Record<string, unknown>, share: string | null) =>
  call('post', '/api/query/run/start', { body: { ...shared(id, share), parameters: parameters as Record<string, never> }, quiet: true });

export const listVersions = (id: string, share: string | null, page: number, size: number) =>
  call('get', '/api/query/version/list', { query: { ...shared(id, share), page, size }, quiet: true });

export const getVersion = (id: string, version: number, share: string | null) =>
  call('get', '/api/query/version/detail', { query: { ...shared(id, share), version }, quiet: true });

export const restoreVersion = (id: string, version: number): Promise<SavedQuery> => call('post', '/api/query/version/restore', { body: { id, version } });

/** Rows of the stored result that viewers see; nothing is run. */
export const getShownResult = (id: string, share: string | null, offset: number, limit: number, signal?: AbortSignal) =>
  call('get', '/api/query/result', { query: { ...shared(id, share), offset, limit }, quiet: true, ...(signal ? { signal } : {}) }) as Promise<ResultPage & { cutAt?: string | null }>;

export const listDrafts = (signal?: AbortSignal) => call('get', '/api/query/draft/list', { quiet: true, ...(signal ? { signal } : {}) });

export const saveDraft = (draft: StoredDraft) => call('post', '/api/query/draft/save', { body: draft, quiet: true });

export const deleteDraft = (id: string) => call('post', '/api/query/draft/delete', { body: { id }, quiet: true });

export const createVisualization = (queryId: string, title: string, viz: Viz) =>
  call('post', '/api/visualization/create', { body: { queryId, title, viz } });

export const updateVisualization = (id: string, revision: number, title: string, viz: Viz) =>
  call('patch', '/api/visualization/update', { body: { id, revision, title, viz } });
