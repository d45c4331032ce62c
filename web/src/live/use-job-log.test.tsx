// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getJobLog, type LogLine } from '@/api/jobs';
import { useJobLog } from './use-job-log';

vi.mock(import('@/api/jobs'), async (original) => ({ ...(await original()), getJobLog: vi.fn() }));

function Lines({ active }: { active: boolean }) {
  const log = useJobLog('job', active, true);
  return <p>{(log.data?.lines ?? []).map(({ text }) => text).join(' ')}</p>;
}

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
