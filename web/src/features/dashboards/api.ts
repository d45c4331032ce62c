// The calls of dashboards, and how their answers are kept between pages.
import { useQuery } from '@tanstack/react-query';
import { call, type Schemas } from '@/api/call';
import { getResult } from '@/api/jobs';
import { useSession } from '@/lib/session';
import type { Cell } from '@/lib/columns';
import type { ShownPage, ShownSource } from '@/viz/use-shown-table';

/** The document of the API writes the ids in what widgets show with `_`; on the wire they are written like all else. */
type Camel<S> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<B>}` : S;
type Wired<T> = T extends unknown ? { [K in keyof T as Camel<K>]: T[K] } : never;
type Sent = Schemas['DashboardContent'];

export type WidgetContent = Wired<Schemas['WidgetContent']>;
export type Widget = Omit<Schemas['Widget'], 'content'> & { content: WidgetContent };
export type Content = Omit<Sent, 'widgets'> & { widgets?: Widget[] };
export type DashboardView = Schemas['Head'] & { comments: number; content: Content; shows: Schemas['WidgetShows'][] };
export type WidgetShows = Schemas['WidgetShows'];
export type Parameter = Schemas['Parameter'];
export type RichBlock = Schemas['RichBlock'];
export type Span = Schemas['Span'];
export type CounterOptions = Schemas['CounterOptions'];
export type Card = Schemas['Card'];
export type Comment = Schemas['Comment'];
export type Visibility = Schemas['Visibility'];

/** Which dashboard, and how it was reached: a frame on another site reads it as a visitor would. */
export interface Target {
  readonly id: string;
  /** The token of a share link. */
  readonly share: string | undefined;
  readonly anonymous: boolean;
}

export const dashboardKey = (target: Target) => ['dashboard', target.id, target.share, target.anonymous] as const;

export function fetchDashboard({ id, share, anonymous }: Target, signal?: AbortSignal): Promise<DashboardView> {
  return call('get', '/api/dashboard/detail', { query: { id, share }, anonymous, ...(signal ? { signal } : {}), quiet: true });
}

export function useDashboard(target: Target | null, everyMs: number | false = false) {
  return useQuery({
    queryKey: target ? dashboardKey(target) : ['dashboard'],
    queryFn: ({ signal }) => fetchDashboard(target as Target, signal),
    enabled: target !== null,
    refetchInterval: everyMs,
  });
}

interface Rows {
  columns: readonly { name: string; type: string }[];
  rows: unknown[][];
  total: number;
  cutAt?: string | null;
}

const page = (rows: Rows): ShownPage => ({ columns: rows.columns, rows: rows.rows as Cell[][], total: rows.total, cutAt: rows.cutAt ?? null });

/** The rows that viewers of a widget see. */
export function widgetRows({ id, share, anonymous }: Target, widgetId: string, jobId: string): ShownSource {
  return {
    key: jobId,
    read: async (offset, limit, signal) => page(await call('get', '/api/dashboard/widget/result', { query: { id, widgetId, share, offset, limit }, anonymous, signal, quiet: true })),
  };
}

/** A widget's query found no rows for the values of the filters: it fails with them. */
export class FilterFailed extends Error {
  override name = 'FilterFailed';
}

/** Between two questions about a run that takes long; the server itself waits some seconds for it. */
const AGAIN_MS = 1_000;

/** The rows of a widget at values of the dashboard's filters, for who can't run its query; as new as the run that others see. */
export function filteredRows({ id, share, anonymous }: Target, widgetId: string, values: Record<string, unknown>, shownJob: string | null): ShownSource {
  const ask = (offset: number, limit: number, signal: AbortSignal) =>
    call('post', '/api/dashboard/widget/filter', { body: { id, widgetId, share: share ?? null, values, offset, limit }, anonymous, signal, quiet: true });
  return {
    key: `${id} ${widgetId} ${shownJob ?? ''} ${JSON.stringify(values)}`,
    read: async (offset, limit, signal) => {
      for (;;) {
        const { pending, result } = await ask(offset, limit, signal);
        if (!pending) {
          if (!result) throw new FilterFailed();
          return page(result);
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        signal.throwIfAborted();
      }
    },
  };
}

/** The rows that viewers of a query see. */
export function queryRows(queryId: string, jobId: string): ShownSource {
  return {
    key: jobId,
    read: async (offset, limit, signal) => page(await call('get', '/api/query/result', { query: { id: queryId, offset, limit }, signal, quiet: true })),
  };
}

/** The rows of a run of one's own. */
export function jobRows(jobId: string): ShownSource {
  return { key: jobId, read: async (offset, limit, signal) => ({ ...(await getResult(jobId, offset, limit, signal)), cutAt: null }) };
}

/** Starts a saved query with values for its parameters; answers the job. */
export async function runQuery(id: string, parameters: Record<string, unknown>): Promise<string> {
  return (await call('post', '/api/query/run/start', { body: { id, parameters: parameters as Record<string, never> }, quiet: true })).jobId;
}

export const refreshDashboard = (id: string) => call('post', '/api/dashboard/refresh', { body: { id } });

/** The parameters of the queries behind the widgets, by query; only asked for where the dashboard has filters. */
export function useQueryParameters(queryIds: readonly string[], wanted: boolean) {
  return useQuery({
    queryKey: ['query parameters', ...queryIds],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(queryIds.map((id) => call('get', '/api/query/detail', { query: { id }, signal, quiet: true }).then(({ what }) => what.parameters ?? [])));
      return new Map(queryIds.map((id, at) => [id, found[at] ?? []]));
    },
    enabled: wanted && queryIds.length > 0,
    staleTime: 60_000,
  });
}

/** What widgets that are not saved yet would show. */
export function usePreview(content: Content, key: readonly string[]) {
  return useQuery({
    queryKey: ['dashboard preview', ...key],
    queryFn: ({ signal }) => call('post', '/api/dashboard/preview', { body: { content: content }, signal, quiet: true }),
    enabled: key.length > 0,
    placeholderData: (before) => before,
  });
}

export interface NewDashboard {
  title: string;
  notes?: string;
  tags?: string[];
  content?: Content;
}

export const createDashboard = (dashboard: NewDashboard): Promise<DashboardView> => call('post', '/api/dashboard/create', { body: dashboard });

export interface DashboardChange extends Partial<NewDashboard> {
  id: string;
  revision: number;
  autosave: boolean;
}

export const saveDashboard = (change: DashboardChange): Promise<DashboardView> => call('patch', '/api/dashboard/update', { body: change, quiet: true });

export const forkDashboard = (id: string, share: string | undefined): Promise<DashboardView> => call('post', '/api/dashboard/fork', { body: { id, share } });

/** Puts a public dashboard on the official page, or takes it from there; for administrators. */
export const setOfficial = (id: string, official: boolean) => call('post', '/api/official/set', { body: { id, official } });

export function useMyDashboards(search: string, at: { page: number; size: number }) {
  const signedIn = useSession().token !== null;
  return useQuery({
    queryKey: ['my dashboards', search, at.page, at.size],
    queryFn: ({ signal }) => call('get', '/api/creation/mine', { query: { kind: 'dashboard', search, ...at }, signal, quiet: true }),
    enabled: signedIn,
    placeholderData: (before) => before,
  });
}

export const restoreVersion = (id: string, version: number): Promise<DashboardView> => call('post', '/api/dashboard/version/restore', { body: { id, version } });
