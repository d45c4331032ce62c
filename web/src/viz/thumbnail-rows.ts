/** What a thumbnail is drawn from. Pictures of one query share what is asked about it. */
import type { QueryClient } from '@tanstack/react-query';
import { call, type Schemas } from '@/api/call';
import { ApiError } from '@/api/error';

/**
 * What stands for a thing: a visualization (with its query, where that is known), the first one of a query, or of a dashboard
 * the first one that whoever looks may see.
 */
export interface Pictured {
  visualizationId?: string | null | undefined;
  queryId?: string | null | undefined;
  dashboardId?: string | null | undefined;
}

/** For so long a picture is not asked for again. */
export const staleMs = 5 * 60_000;
/** Rows a picture is drawn from: more would not be seen. */
const most = 500;

/** The chart and its rows; null where nothing was run yet. */
export async function shownBy(client: QueryClient, pictured: Pictured, signal: AbortSignal): Promise<{ viz: Schemas['Viz']; result: Schemas['ShownRows'] } | null> {
  const chart = pictured.visualizationId || pictured.queryId ? await chartOf(client, pictured, signal) : null;
  const result = chart && (await resultOf(client, chart.queryId));
  if (result) return { viz: chart.viz, result };
  return pictured.dashboardId ? onBoard(pictured.dashboardId, signal) : null;
}

/** The first chart or number of a board that has rows to see; its query may be closed to whoever sees them. */
async function onBoard(id: string, signal: AbortSignal) {
  const { shows, content } = await call('get', '/api/dashboard/detail', { query: { id }, signal, quiet: true });
  for (const { widgetId, visible, visualization, shown } of shows) {
    const widget = content.widgets?.find((one) => one.id === widgetId)?.content;
    // What is left out of a counter's options stands in the defaults of its type.
    const viz = visualization ?? (widget?.type === 'counter' ? ({ type: 'counter', options: widget.options ?? {} } as Schemas['Viz']) : null);
    if (!visible || viz === null || !hasRun(shown)) continue;
    return { viz, result: await call('get', '/api/dashboard/widget/result', { query: { id, widgetId, limit: most }, signal, quiet: true }) };
  }
  return null;
}

async function chartOf(client: QueryClient, { visualizationId, queryId }: Pictured, signal: AbortSignal) {
  if (!queryId) {
    const chart = await call('get', '/api/visualization/detail', { query: { id: visualizationId ?? '' }, signal, quiet: true });
    // Asked for its result, a query that never ran is a failure that browsers write down; so is one that is closed to who asks.
    const ran = await queryOf(client, chart.queryId).then(({ shown }) => hasRun(shown), unlessClosed(false));
    return ran ? chart : null;
  }
  const { visualizations, shown } = await queryOf(client, queryId);
  if (!hasRun(shown)) return null;
  const chosen = visualizations.find(({ id, viz }) => (visualizationId ? id === visualizationId : viz.type !== 'table'));
  return { queryId, viz: chosen?.viz ?? { type: 'table' as const, options: { columns: null } } };
}

/** Whether there is one: of runs, those that have not run have none. */
const hasRun = (shown: unknown): boolean => shown !== null && shown !== undefined;

function queryOf(client: QueryClient, id: string) {
  return client.query({
    queryKey: ['query of thumbnails', id],
    queryFn: ({ signal }) => call('get', '/api/query/detail', { query: { id }, signal, quiet: true }),
    // One that has not run may have by now.
    staleTime: ({ state }) => (hasRun(state.data?.shown) ? staleMs : 0),
    retry: false,
  });
}

/** Takes what isn't there, or not for who asks, as `instead`. A question that was called off asks for nothing more. */
function unlessClosed<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return instead;
    throw error;
  };
}

/** The rows that viewers see; null as long as the query has not run. */
function resultOf(client: QueryClient, id: string): Promise<Schemas['ShownRows'] | null> {
  return client.query({
    queryKey: ['rows of thumbnails', id],
    queryFn: async ({ signal }) => {
      return await call('get', '/api/query/result', { query: { id, limit: most }, signal, quiet: true }).catch(unlessClosed(null));
    },
    staleTime: ({ state }) => (state.data ? staleMs : 0),
    retry: false,
  });
}
