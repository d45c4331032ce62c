// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { clearSession, signIn } from '@/lib/session';
import type { Model, Queries } from './model';
import { useGraph, useLake } from './use-graph';

const runRows = vi.hoisted(() => vi.fn<(text: string, title: string, signal: AbortSignal) => Promise<unknown>>());
const runGraph = vi.hoisted(() => vi.fn<(text: string) => Promise<unknown>>());
vi.mock('./run', () => ({ runRows, runGraph }));
const call = vi.hoisted(() => vi.fn<(verb: string, path: string, input: { query: Record<string, string>; anonymous?: boolean }) => Promise<unknown>>());
vi.mock('@/api/call', () => ({ call }));
const chain = vi.hoisted(() => ({ now: {} }));
vi.mock('@/api/chain', () => ({ useChain: () => chain.now }));

/** What runs, by its text. */
const running = new Map<string, { signal: AbortSignal; end: (node: string) => void; fail: () => void }>();
/** The queries that the server has for a model. */
let texts: () => Queries;

const rows = (node: string) => ({ columns: [{ name: 'node', type: 'varchar' }], rows: [[node]], total: 1 });

beforeEach(async () => {
  await startLanguage();
  signIn('token');
  running.clear();
  for (const mock of [call, runRows, runGraph]) mock.mockReset();
  texts = () => ({ kind: 'SQL', nodes: 'nodes' });
  call.mockImplementation(() => Promise.resolve(texts()));
  runRows.mockImplementation(
    (text, _title, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')));
        running.set(text, { signal, end: (node) => resolve(rows(node)), fail: () => reject(new Error('no')) });
      }),
  );
});
afterEach(() => {
  cleanup();
  act(clearSession);
});

const model = (more: Partial<Model>): Model => ({ id: 'overview', path: 'overview', layout: 'force', unit: 'count', kinds: [], controls: [], ...more });

function graph(of: Model, head: number | null, value = 'same') {
  const client = new QueryClient();
  return renderHook(({ head, value }) => useGraph(of, { value }, head), {
    initialProps: { head, value },
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
}

it('blocks that come while a live model runs stop nothing: the newest are asked for next', async () => {
  let head = 1;
  texts = () => ({ kind: 'SQL', nodes: `block ${head}` });
  const { result, rerender } = graph(model({ live: true }), 1);
  await waitFor(() => expect([...running.keys()]).toEqual(['block 1']));
  for (head of [2, 3]) rerender({ head, value: 'same' });
  expect([running.get('block 1')?.signal.aborted, running.size]).toEqual([false, 1]);
  act(() => running.get('block 1')?.end('one'));
  await waitFor(() => expect([...running.keys()]).toEqual(['block 1', 'block 3']));
  expect(result.current.data?.graph.nodes[0]?.id).toBe('one');
  // Another value is asked for at once.
  texts = () => ({ kind: 'SQL', nodes: '48 blocks' });
  rerender({ head: 3, value: 'other' });
  await waitFor(() => expect([running.get('block 3')?.signal.aborted, running.has('48 blocks')]).toEqual([true, true]));
});

it('blocks change nothing of a model that is not live', async () => {
  const { result, rerender } = graph(model({}), null);
  expect(call).not.toHaveBeenCalled();
  rerender({ head: 1, value: 'same' });
  await waitFor(() => expect(running.size).toBe(1));
  act(() => running.get('nodes')?.end('a'));
  await waitFor(() => expect(result.current.data).toBeDefined());
  rerender({ head: 2, value: 'same' });
  expect([result.current.isFetching, call.mock.calls.length]).toEqual([false, 1]);
});

it('another value leaves on the stage what is there until its own nodes come', async () => {
  texts = () => ({ kind: 'SQL', nodes: 'largest 500' });
  const { result, rerender } = graph(model({}), 1);
  await waitFor(() => expect(running.size).toBe(1));
  act(() => running.get('largest 500')?.end('a'));
  await waitFor(() => expect(result.current.data).toBeDefined());
  texts = () => ({ kind: 'SQL', nodes: 'largest 2000' });
  rerender({ head: 1, value: 'other' });
  expect([result.current.data?.graph.nodes[0]?.id, result.current.isPlaceholderData]).toEqual(['a', true]);
  await waitFor(() => expect(running.size).toBe(2));
  act(() => running.get('largest 2000')?.end('b'));
  await waitFor(() => expect([result.current.data?.graph.nodes[0]?.id, result.current.isPlaceholderData]).toEqual(['b', false]));
});

it('of two queries the other one is stopped when one fails', async () => {
  texts = () => ({ kind: 'SQL', nodes: 'nodes', links: 'links' });
  graph(model({}), 1);
  await waitFor(() => expect(running.size).toBe(2));
  act(() => running.get('nodes')?.fail());
  await waitFor(() => expect(running.get('links')?.signal.aborted).toBe(true));
});

it('visitors see what the server runs, and no text of theirs is sent anywhere', async () => {
  act(clearSession);
  const queries = { kind: 'SQL', nodes: 'nodes' } as const;
  call.mockResolvedValue({ queries, nodes: rows('a'), links: null, graph: null });
  const client = new QueryClient();
  const { result } = renderHook(() => useGraph(model({ controls: [{ name: 'cypher', kind: 'text' }] }), { cypher: '' }, 1), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await waitFor(() => expect(result.current.data).toMatchObject({ queries, graph: { nodes: [{ id: 'a' }] } }));
  expect(call.mock.calls.map(([, path, { anonymous }]) => [path, anonymous])).toEqual([['/api/model/rows', true]]);
  expect(runRows).not.toHaveBeenCalled();
});

it('a query of the person’s own runs in place of the model’s', async () => {
  runGraph.mockResolvedValue({ nodes: [{ id: '1', labels: [], properties: {} }], edges: [], nodesTotal: 1, edgesTotal: 0 });
  const client = new QueryClient();
  const { result } = renderHook(() => useGraph(model({ controls: [{ name: 'cypher', kind: 'text' }] }), { cypher: 'MATCH (a) RETURN a' }, 1), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await waitFor(() => expect(result.current.data?.graph.nodes[0]?.id).toBe('1'));
  expect([runGraph.mock.calls[0]?.[0], call.mock.calls.length]).toEqual(['MATCH (a) RETURN a', 0]);
});

it('a look at the head that fails takes nothing from the stage, and a lake without blocks is known to be empty', () => {
  const client = new QueryClient();
  const lake = () => renderHook(() => useLake(model({})), { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> }).result.current;
  chain.now = { data: { head: { number: 7, time: 9 }, origin: 'node' }, error: new Error('away') };
  expect(lake()).toMatchObject({ lake: { headNumber: 7 }, error: null, empty: false });
  chain.now = { data: undefined, error: new Error('away') };
  expect(lake()).toMatchObject({ lake: undefined, error: { message: 'away' }, empty: false });
  chain.now = { data: { head: null, origin: null }, error: null };
  expect(lake()).toMatchObject({ lake: undefined, error: null, empty: true });
});
