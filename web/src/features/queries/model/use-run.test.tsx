// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import type { Job } from '@/api/jobs';
import type { Draft } from './drafts';
import { useRun } from './use-run';

const ended = (jobId: string) => ({ jobId, kind: 'HIVE', state: 'SUCCEEDED', message: '', position: null }) as unknown as Job;
/** The job of which the server has said nothing yet. */
const untold = vi.hoisted(() => ({ jobId: '' }));
vi.mock('@/live/use-job-state', () => ({ useJobState: (id: string | null) => ({ job: id === null || id === untold.jobId ? undefined : ended(id), gone: false, failed: null }) }));
vi.mock('@/api/jobs', async (original) => ({ ...(await original<object>()), executeQuery: () => Promise.resolve({ jobId: 'quick' }) }));

const first: Draft = {
  id: 'd', owner: 'ada', kind: 'HIVE', text: 'select 1', spec: null, parameters: [], values: {}, query: null, title: '',
  job: { id: 'old', from: 0, text: 'select 1' }, resultJob: 'old', charts: [], changed: 0,
};

it('a job that is never seen running is known as one that was started here, and one of before is not', async () => {
  const client = new QueryClient();
  const { result } = renderHook(
    () => {
      const [draft, setDraft] = useState(first);
      return useRun(draft, (_, change) => setDraft((now) => ({ ...now, ...change })));
    },
    { wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  expect([result.current.job?.jobId, result.current.startedHere]).toEqual(['old', false]);
  act(() => result.current.start('select 1', 0));
  await waitFor(() => expect(result.current.job?.jobId).toBe('quick'));
  expect([result.current.active, result.current.startedHere]).toEqual([false, true]);
});

it('a run is on its way until something is known of its job, so that nobody starts it twice', async () => {
  untold.jobId = 'quick';
  const client = new QueryClient();
  const { result, rerender } = renderHook(
    () => {
      const [draft, setDraft] = useState(first);
      return { draft, run: useRun(draft, (_, change) => setDraft((now) => ({ ...now, ...change }))) };
    },
    { wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  act(() => result.current.run.start('select 1', 0));
  await waitFor(() => expect(result.current.draft.job?.id).toBe('quick'));
  expect(result.current.run.sending).toBe(true);
  untold.jobId = '';
  rerender();
  expect([result.current.run.sending, result.current.run.job?.jobId]).toEqual([false, 'quick']);
});

it('the tables of the person are asked for again once a job that can make some has ended', () => {
  const client = new QueryClient();
  const again = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
  renderHook(() => useRun(first, () => undefined), { wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> });
  expect(again).toHaveBeenCalledWith({ queryKey: ['tables'] });
});
