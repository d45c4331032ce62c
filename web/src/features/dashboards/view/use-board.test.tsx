// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { signIn } from '@/lib/session';
import type { Content, Parameter, WidgetShows } from '../api';
import { useBoard } from './use-board';

const target = { id: 'board', share: undefined, anonymous: false };
const parameter: Parameter = { name: 'day', type: 'text', default: 'monday' };
const widget = { id: 'w', content: { type: 'counter' as const, queryId: 'q' }, layout: { x: 0, y: 0, w: 3, h: 3 } };
const shows = (jobId: string): WidgetShows[] => [{ widgetId: 'w', queryId: 'q', visible: true, shown: { jobId, finishTime: 1, revision: 1, rows: 1 } }];

/** What the server says to each path, and the jobs that were started, newest last. */
let answers: Record<string, () => unknown>;
let started: string[];
let jobState: string;

beforeAll(startLanguage);

beforeEach(() => {
  signIn('token');
  started = [];
  jobState = 'SUCCEEDED';
  const start = () => {
    started.push(`0${started.length * 2 + 2}`);
    return started.at(-1);
  };
  answers = {
    '/api/query/detail': () => ({ what: { parameters: [parameter] } }),
    '/api/query/run/start': () => ({ jobId: start() }),
    '/api/dashboard/refresh': () => ({ started: [{ queryId: 'q', jobId: start() }], skipped: [] }),
  };
  vi.stubGlobal('fetch', (url: string) => {
    const path = url.split('?')[0] ?? '';
    const data = answers[path]?.() ?? { jobId: path.split('/').at(-1), state: jobState };
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', data }), { headers: { 'Content-Type': 'application/json' } }));
  });
});
afterEach(() => vi.unstubAllGlobals());

function board(content: Content, address: string) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { result, rerender } = renderHook(({ shown }) => useBoard(target, content, shown), {
    initialProps: { shown: shows('01') },
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
      </QueryClientProvider>
    ),
  });
  let shown = shows('01');
  return {
    see: (jobId: string) => {
      shown = shows(jobId);
      rerender({ shown });
    },
    run: () => result.current.runOf(widget, shown[0])?.jobId,
    now: () => result.current,
    askAgain: () => client.invalidateQueries({ queryKey: ['job'] }),
  };
}

it('a run of this page is on show until viewers see a newer one', async () => {
  const { see, run, now } = board({ widgets: [widget], parameters: [] }, '/');
  act(() => now().refresh.run());
  await waitFor(() => expect(run()).toBe('02'));
  see('02');
  expect(run()).toBe('02');
  see('03');
  expect(run()).toBeUndefined();
  act(() => now().runNow(widget, shows('03')[0])?.());
  await waitFor(() => expect(run()).toBe('04'));
});

it('a run that could not be started makes way for the next one of others', async () => {
  answers['/api/query/run/start'] = () => {
    throw new Error('no connection');
  };
  const { see, now } = board({ widgets: [widget], parameters: [] }, '/');
  const error = (jobId: string) => now().runOf(widget, shows(jobId)[0])?.error;
  act(() => now().runNow(widget, shows('01')[0])?.());
  await waitFor(() => expect(error('01')).toBeTruthy());
  see('03');
  expect(error('03')).toBeUndefined();
});

it('rows at other values are run anew when viewers see newer data, once the former run has ended', async () => {
  const { see, run, askAgain } = board({ widgets: [widget], parameters: [parameter] }, '/?p_day=friday');
  await waitFor(() => expect(run()).toBe('02'));
  see('01');
  expect(started).toEqual(['02']);
  jobState = 'RUNNING';
  const asked = vi.fn();
  answers['/api/job/02'] = () => {
    asked();
    return { jobId: '02', state: jobState };
  };
  see('03');
  await waitFor(() => expect(asked).toHaveBeenCalled());
  expect([run(), started]).toEqual(['02', ['02']]);
  jobState = 'SUCCEEDED';
  await act(askAgain);
  await waitFor(() => expect(run()).toBe('04'));
  see('03');
  expect(started).toEqual(['02', '04']);
});
