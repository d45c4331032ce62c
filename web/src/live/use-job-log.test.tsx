// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { getJobLog, type LogLine } from '@/api/jobs';
import { live, type LiveMessage } from './socket';
import { useJobLog } from './use-job-log';

vi.mock(import('@/api/jobs'), async (original) => ({ ...(await original()), getJobLog: vi.fn() }));

afterEach(() => {
  cleanup();
  vi.mocked(getJobLog).mockClear();
});

function Lines({ active }: { active: boolean }) {
  const log = useJobLog('job', active, true);
  return <p>{(log.data?.lines ?? []).map(({ text }) => text).join(' ')}</p>;
}

test('a line that is told while the first answer is on its way is not lost', async () => {
  let tell: (message: LiveMessage) => void = () => undefined;
  vi.spyOn(live, 'listen').mockImplementation((listener) => {
    tell = listener;
    return () => undefined;
  });
  let arrive: (log: { lines: LogLine[] }) => void = () => undefined;
  vi.mocked(getJobLog).mockReturnValueOnce(
    new Promise((resolve) => {
      arrive = resolve;
    }),
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Lines active />
    </QueryClientProvider>,
  );
  act(() => tell({ type: 'hive.log', data: { jobId: 'job', lines: [{ time: 2, text: 'late' }] } }));
  act(() => arrive({ lines: [{ time: 1, text: 'early' }] }));
  expect(await screen.findByText('early late')).toBeTruthy();
});

test('the end of a log is asked for even while an earlier answer is on its way', async () => {
  const lines = (...texts: string[]): { lines: LogLine[] } => ({ lines: texts.map((text, time) => ({ time, text })) });
  let arrive: (log: { lines: LogLine[] }) => void = () => undefined;
  const early = new Promise<{ lines: LogLine[] }>((resolve) => {
    arrive = resolve;
  });
  vi.mocked(getJobLog).mockReturnValueOnce(early).mockResolvedValueOnce(lines('one', 'two'));
  const page = (active: boolean) => (
    <QueryClientProvider client={client}>
      <Lines active={active} />
    </QueryClientProvider>
  );
  const client = new QueryClient();
  const { rerender } = render(page(true));
  rerender(page(false));
  await act(async () => {
    arrive(lines('one'));
    await early;
  });
  expect(await screen.findByText('one two')).toBeTruthy();
  expect(getJobLog).toHaveBeenCalledTimes(2);
});
