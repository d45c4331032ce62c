// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { App } from 'antd';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Schemas } from '@/api/call';
import { loadTexts, setLanguage, startLanguage } from '@/i18n';
import { Component as Cluster } from './cluster';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));

const build = '0.1.0-0123456789abcdef-fedcba9876543210';
const worker = (port: number, state: Schemas['WorkerState'], more: Partial<Schemas['WorkerView']> = {}): Schemas['WorkerView'] => ({
  url: `http://10.0.0.5:${port}`,
  state,
  build,
  runs: 3,
  memory: 2_000_000_000,
  memoryLimit: 8_000_000_000,
  lastFailure: null,
  ...more,
});

beforeEach(async () => {
  await startLanguage();
  await loadTexts('system');
  await setLanguage('en');
});

afterEach(() => {
  cleanup();
  call.mockReset();
});

function show(cluster: Schemas['ClusterView']) {
  call.mockImplementation((verb: string) => Promise.resolve(verb === 'get' ? cluster : true));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <MemoryRouter>
          <Cluster />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  );
}

const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));

it('a server without a cluster says how one is started', async () => {
  show({ enabled: false, workers: [] });
  await screen.findByText('This server has no cluster');
  screen.getByText('quarry serve --cluster-listen HOST:PORT');
});

it('a cluster without workers says how one is started', async () => {
  show({ enabled: true, workers: [] });
  await screen.findByText('No workers yet');
  screen.getByText('quarry worker --coordinator URL');
});

it('workers are shown with their state, their short build and what they do', async () => {
  show({ enabled: true, workers: [worker(1, 'alive'), worker(2, 'lost', { lastFailure: 'The worker does not answer within 2 seconds.' }), worker(3, 'lost', { build: '' })] });
  await screen.findByText('http://10.0.0.5:1');
  const ready = row('10.0.0.5:1');
  ready.getByText('Ready');
  expect(ready.getByText('0.1.0-fedcba98').title).toBe(build);
  ready.getByText('3');
  ready.getByText('2 GB / 8 GB');
  const lost = row('10.0.0.5:2');
  lost.getByText('The worker does not answer within 2 seconds.');
  // Its figures are out of date.
  expect(lost.queryByText('3')).toBeNull();
  expect(lost.queryByRole('button')).toBeNull();
  expect(row('10.0.0.5:3').getAllByText('–')).toHaveLength(3);
  expect(screen.queryByRole('status')).toBeNull();
});

it('a worker of another build comes with what to do', async () => {
  show({ enabled: true, workers: [worker(1, 'alive'), worker(2, 'other_build')] });
  const advice = await screen.findByRole('status');
  expect(advice.textContent).toMatch(/^1 worker gets no queries.*Install the same build there/);
  row('10.0.0.5:2').getByText('Other build');
});

it('a worker is drained once that is confirmed, and one that drains is left alone', async () => {
  show({ enabled: true, workers: [worker(1, 'alive'), worker(2, 'draining')] });
  await screen.findByText('http://10.0.0.5:1');
  expect(screen.queryByRole('button', { name: 'Drain http://10.0.0.5:2' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Drain http://10.0.0.5:1' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Drain http://10.0.0.5:1?' }));
  expect(call).toHaveBeenCalledTimes(1);
  fireEvent.click(dialog.getByRole('button', { name: 'Drain' }));
  await vi.waitFor(() => expect(call).toHaveBeenCalledWith('post', '/api/system/cluster/drain', { body: { url: 'http://10.0.0.5:1' } }));
  // The list is fetched again.
  await vi.waitFor(() => expect(call.mock.calls.filter(([verb]) => verb === 'get')).toHaveLength(2));
});

it('what a worker failed with is told in the language of the page', async () => {
  await setLanguage('zh');
  show({ enabled: true, workers: [worker(1, 'lost', { lastFailure: 'The secret of the cluster is wrong or missing.' })] });
  await screen.findByText('失联');
  await screen.findByText('集群密钥不正确或缺失。');
});
