/** A saved chart put on one of one's dashboards: a new widget below what is there. */
import { call, type Schemas } from '@/api/call';
import { listRuns, startRun } from '@/api/queries';
import { randomHex } from '@/lib/random';

type Content = Schemas['DashboardContent'];
type Layout = Schemas['Widget']['layout'];

/** Cells of the grid of 12 columns: half a row. */
const SIZE = { w: 6, h: 8 };
const COLUMNS = 12;

/** Beside the last widget where it fits there, else below all. */
export function placeAfter(taken: readonly Layout[]): Layout {
  const bottom = taken.reduce((lowest, { y, h }) => Math.max(lowest, y + h), 0);
  const beside = { x: COLUMNS - SIZE.w, y: Math.max(0, bottom - SIZE.h), ...SIZE };
  const free = bottom > 0 && !taken.some(({ x, y, w, h }) => x + w > beside.x && x < beside.x + beside.w && y + h > beside.y && y < beside.y + beside.h);
  return free ? beside : { x: 0, y: bottom, ...SIZE };
}

// The document of the API writes the ids in what widgets show with `_`; on the wire they are written like all else.
const widgetOf = (visualizationId: string, taken: readonly Layout[]) =>
  ({ id: randomHex(4), layout: placeAfter(taken), content: { type: 'visualization', visualizationId }, showTitle: true, showTime: true }) as unknown as Schemas['Widget'];

const withChart = (content: Content, visualizationId: string): Content => ({ ...content, widgets: [...(content.widgets ?? []), widgetOf(visualizationId, (content.widgets ?? []).map(({ layout }) => layout))] });

/** Puts it on a dashboard as it is now; answers the dashboard. */
export async function addToDashboard(id: string, visualizationId: string) {
  const { revision, content } = await call('get', '/api/dashboard/detail', { query: { id }, quiet: true });
  return call('patch', '/api/dashboard/update', { body: { id, revision, autosave: false, content: withChart(content, visualizationId) }, quiet: true });
}

export const newDashboardWith = (title: string, visualizationId: string) => call('post', '/api/dashboard/create', { body: { title, content: withChart({}, visualizationId) }, quiet: true });

/** How long whoever adds a chart waits for its rows. */
const PATIENCE_MS = 5_000;

/** Runs of before a query was saved are not its own: without one its charts have nothing to show to anybody. */
export async function runFirst(queryId: string): Promise<void> {
  const { total } = await listRuns(queryId, 1, 1);
  if (total > 0) return;
  const { jobId } = await startRun(queryId, {}, null);
  await call('get', '/api/job/{jobId}', { path: { jobId }, query: { wait: PATIENCE_MS }, quiet: true });
}
