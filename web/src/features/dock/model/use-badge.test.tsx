// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { live, type LiveMessage } from '@/live/socket';
import { useBadge } from './use-badge';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));
const states = vi.hoisted(() => new Map<string, string>());
vi.mock('@/live/use-job-state', () => ({ useJobState: (id: string | null) => ({ job: id === null ? undefined : { jobId: id, kind: 'HIVE', state: states.get(id), progress: 12.7 } }) }));

it('the ring is that of the newest long query that runs, and of the next one when it ends', async () => {
  let tell: (message: LiveMessage) => void = () => undefined;
  vi.spyOn(live, 'listen').mockImplementation((listener) => {
    tell = listener;
    return () => undefined;
  });
  call.mockResolvedValue({ items: [{ jobId: 'plain', kind: 'SQL' }, { jobId: 'old', kind: 'HIVE' }] });
  states.set('old', 'RUNNING');
  const client = new QueryClient();
  const { result } = renderHook(useBadge, { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> });
  const says = (jobId: string, state: string) =>
    act(() => {
      states.set(jobId, state);
      tell({ type: 'job.state', data: { jobId, kind: 'HIVE', state } });
    });
  const shown = () => result.current[0]?.jobId;
  await waitFor(() => expect(result.current[0]).toEqual({ jobId: 'old', kind: 'HIVE', percent: 12 }));
  says('new', 'RUNNING');
  expect(shown()).toBe('new');
  says('new', 'SUCCEEDED');
  expect(shown()).toBe('old');
  act(() => result.current[1]());
  expect(shown()).toBeUndefined();
  says('newest', 'RUNNING');
  expect(shown()).toBe('newest');
});
