// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { clearSession, signIn } from '@/lib/session';
import type { Model, Queries } from './model';
import { useGraph, useLake } from './use-graph';

const runRows = vi.hoisted(() => vi.fn<(text: string, title: string, signal: AbortSignal) => Promise<unknown>>());
vi.mock('./run', () => ({ runRows, runGraph: vi.fn() }));
const chain = vi.hoisted(() => ({ now: {} }));
vi.mock('@/api/chain', () => ({ useChain: () => chain.now }));

/** What runs, by its text. */
const running = new Map<string, { signal: AbortSignal; end: (node: string) => void; fail: () => void }>();

beforeEach(async () => {
  await startLanguage();
  signIn('token');
  running.clear();
  runRows.mockImplementation(
    (text, _title, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')));
        running.set(text, { signal, end: (node) => resolve({ columns: [{ name: 'node', type: 'varchar' }], rows: [[node]], total: 1 }), fail: () => reject(new Error('no')) });
      }),
  );
});
afterEach(() => act(clearSession));

const model = (more: Partial<Model>): Model => ({ id: 'overview', path: 'overview', layout: 'force', unit: 'count', kinds: [], controls: [], queries: () => null, ...more });
const texts = (nodes: string): Queries => ({ kind: 'SQL', nodes });

function graph(of: Model, nodes: string, value = 'same') {
  const client = new QueryClient();
  return renderHook(({ nodes, value }) => useGraph(of, { value }, texts(nodes)), {
    initialProps: { nodes, value },
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
}

it('blocks that come while a live model runs stop nothing: the newest are asked for next', async () => {
  const { result, rerender } = graph(model({ live: true }), 'block 1');
  await waitFor(() => expect([...running.keys()]).toEqual(['block 1']));
  rerender({ nodes: 'block 2', value: 'same' });
  rerender({ nodes: 'block 3', value: 'same' });
  expect([running.get('block 1')?.signal.aborted, running.size]).toEqual([false, 1]);
  act(() => running.get('block 1')?.end('one'));
  await waitFor(() => expect([...running.keys()]).toEqual(['block 1', 'block 3']));
  expect(result.current[0].data?.nodes[0]?.id).toBe('one');
  // Another value is asked for at once.
  rerender({ nodes: '48 blocks', value: 'other' });
  await waitFor(() => expect([running.get('block 3')?.signal.aborted, running.has('48 blocks')]).toEqual([true, true]));
});

it('another value leaves on the stage what is there until its own nodes come', async () => {
  const { result, rerender } = graph(model({}), 'largest 500');
  await waitFor(() => expect(running.size).toBe(1));
  act(() => running.get('largest 500')?.end('a'));
  await waitFor(() => expect(result.current[0].data).toBeDefined());
  rerender({ nodes: 'largest 2000', value: 'other' });
  expect([result.current[0].data?.nodes[0]?.id, result.current[0].isPlaceholderData]).toEqual(['a', true]);
  await waitFor(() => expect(running.size).toBe(2));
  act(() => running.get('largest 2000')?.end('b'));
  await waitFor(() => expect([result.current[0].data?.nodes[0]?.id, result.current[0].isPlaceholderData]).toEqual(['b', false]));
});

it('of two queries the other one is stopped when one fails', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  renderHook(() => useGraph(model({}), {}, { kind: 'SQL', nodes: 'nodes', links: 'links' }), { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> });
  await waitFor(() => expect(running.size).toBe(2));
  act(() => running.get('nodes')?.fail());
  await waitFor(() => expect(running.get('links')?.signal.aborted).toBe(true));
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
