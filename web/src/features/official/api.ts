// The official dashboards, their charts, and the rows of a chart.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, type Schemas } from '@/api/call';
import type { Cell } from '@/lib/columns';
import type { ShownPage, ShownSource } from '@/viz/use-shown-table';

export type OfficialDashboard = Schemas['OfficialDashboard'];
export type OfficialChart = Schemas['OfficialChart'];
export type Resolution = Schemas['Resolution'];

export const resolutions: readonly Resolution[] = ['1 Hour', '1 Day', '1 Week', '1 Month'];

export const isResolution = (text: string | null): text is Resolution => resolutions.some((one) => one === text);

export function useOfficialDashboards() {
  return useQuery({ queryKey: ['official'], queryFn: ({ signal }) => call('get', '/api/official/dashboards', { signal, quiet: true }), staleTime: 60_000 });
}

/** One chart of a dashboard at a resolution. */
export interface Metric {
  readonly dashboardId: string;
  readonly visualizationId: string;
  readonly resolution: Resolution;
}

const FIRST = 1_000;
/** While newer rows are being computed they are asked for again; each answer takes the server up to eight seconds. */
const AGAIN_MS = 3_000;

const read = ({ dashboardId, visualizationId, resolution }: Metric, offset: number, limit: number, signal: AbortSignal) =>
  call('get', '/api/official/visualization', { query: { dashboardId, visualizationId, resolution, offset, limit }, signal, quiet: true });

/** The chart, its options, and where its rows come from. */
export function useMetric(metric: Metric, wanted = true) {
  return useQuery({
    queryKey: ['official chart', metric.dashboardId, metric.visualizationId, metric.resolution],
    queryFn: async ({ signal }) => {
      const answer = await read(metric, 0, FIRST, signal);
      return { ...answer, source: answer.result ? rowsOf(metric, answer.result) : null };
    },
    enabled: wanted,
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.pending ? AGAIN_MS : false),
    placeholderData: keepPreviousData,
  });
}

type Rows = NonNullable<Schemas['OfficialRows']['result']>;

const page = ({ columns, rows, total, cutAt }: Rows): ShownPage => ({ columns, rows: rows as Cell[][], total, cutAt: cutAt ?? null });

/** The first rows are here already. */
function rowsOf(metric: Metric, first: Rows): ShownSource {
  return {
    key: `${first.shown.jobId} ${metric.resolution}`,
    read: async (offset, limit, signal) => {
      if (offset === 0 && limit <= FIRST) return page(first);
      const { result } = await read(metric, offset, limit, signal);
      return result ? page(result) : { ...page(first), rows: [] };
    },
  };
}

/** What the query behind a chart counts, in its author's words. */
export function useQueryNotes(queryId: string | undefined) {
  return useQuery({ queryKey: ['query notes', queryId], queryFn: ({ signal }) => call('get', '/api/query/detail', { query: { id: queryId ?? '' }, signal, quiet: true }), enabled: queryId !== undefined, staleTime: 60_000 });
}
