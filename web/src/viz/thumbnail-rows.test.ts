import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { shownBy } from './thumbnail-rows';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('@/api/call', () => ({ call }));

const viz = (type: string) => ({ type, options: {} });
/** Whether the query has run, as the server says. */
let ran = true;

beforeEach(() => {
  ran = true;
  call.mockReset();
  call.mockImplementation((_: string, path: string) => {
    if (path === '/api/visualization/detail') return Promise.resolve({ queryId: 'q', viz: viz('pie') });
    if (path === '/api/query/detail') return Promise.resolve({ shown: ran ? { runId: 1 } : null, visualizations: [{ id: 't', viz: viz('table') }, { id: 'a', viz: viz('area') }] });
    return ran ? Promise.resolve({ columns: [], rows: [], total: 0 }) : Promise.reject(new ApiError('never ran', 'notFound', 404));
  });
});

const shown = (client: QueryClient, visualizationId: string | null, queryId: string | null) => shownBy(client, { visualizationId, queryId }, new AbortController().signal);
const asked = () => call.mock.calls.map(([, path]) => String(path));

it('pictures of one query ask once about it and once for its rows', async () => {
  const client = new QueryClient();
  const [pie, first, area] = await Promise.all([shown(client, 'p', null), shown(client, null, 'q'), shown(client, 'a', 'q')]);
  expect([pie, first, area].map((one) => one?.viz.type)).toEqual(['pie', 'area', 'area']);
  expect(asked().sort()).toEqual(['/api/query/detail', '/api/query/result', '/api/visualization/detail']);
});

it('a query that has not run is asked about again, and nobody asks for its rows', async () => {
  const client = new QueryClient();
  ran = false;
  expect(await shown(client, null, 'q')).toBeNull();
  expect(asked()).toEqual(['/api/query/detail']);
  ran = true;
  expect((await shown(client, null, 'q'))?.viz.type).toBe('area');
  expect(asked()).toEqual(['/api/query/detail', '/api/query/detail', '/api/query/result']);
});

it('a board without a chart that stands for it shows the first one that is open', async () => {
  const seen = (widgetId: string, more: object) => ({ widgetId, visible: true, visualization: viz('line'), shown: { runId: 1 }, ...more });
  call.mockImplementation((_: string, path: string) => {
    if (path === '/api/dashboard/widget/result') return Promise.resolve({ columns: [], rows: [], total: 0 });
    const shows = [seen('closed', { visible: false, visualization: null }), seen('never ran', { shown: null }), seen('open', {}), seen('later', { visualization: viz('pie') })];
    return Promise.resolve({ content: { widgets: [] }, shows });
  });
  const found = await shownBy(new QueryClient(), { dashboardId: 'd' }, new AbortController().signal);
  expect(found?.viz.type).toBe('line');
  expect(call).toHaveBeenLastCalledWith('get', '/api/dashboard/widget/result', expect.objectContaining({ query: expect.objectContaining({ id: 'd', widgetId: 'open' }) as object }));
});

it('who leaves while it is asked whether a query has run asks for no rows', async () => {
  const client = new QueryClient();
  call.mockImplementation((_: string, path: string) => (path === '/api/visualization/detail' ? Promise.resolve({ queryId: 'q', viz: viz('pie') }) : new Promise(() => undefined)));
  const picture = shown(client, 'p', null);
  await vi.waitFor(() => expect(asked()).toContain('/api/query/detail'));
  await client.cancelQueries();
  await expect(picture).rejects.toThrow();
  expect(asked()).toEqual(['/api/visualization/detail', '/api/query/detail']);
});

it('of a chart whose query is closed nobody asks for rows', async () => {
  call.mockImplementation((_: string, path: string) =>
    path === '/api/visualization/detail' ? Promise.resolve({ queryId: 'q', viz: viz('pie') }) : Promise.reject(new ApiError('closed', 'not_found', 404)),
  );
  expect(await shown(new QueryClient(), 'p', null)).toBeNull();
  expect(asked()).toEqual(['/api/visualization/detail', '/api/query/detail']);
});
