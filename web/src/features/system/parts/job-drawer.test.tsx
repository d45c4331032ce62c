// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { it, vi } from 'vitest';
import { getJobLog, type Job } from '@/api/jobs';
import { loadTexts, startLanguage } from '@/i18n';
import { useJobState } from '@/live/use-job-state';
import { JobDrawer } from './job-drawer';

vi.mock('@/api/jobs', async (original) => ({ ...(await original<object>()), getJobLog: vi.fn() }));
vi.mock('@/live/use-job-state', () => ({ useJobState: vi.fn() }));
// jsdom lays nothing out: it can't say what the drawer could give the focus to.
vi.mock('@/ui/drawer', () => ({ Drawer: ({ children }: { children: ReactNode }) => children }));

it('the log stays on show while it is read once more at the end of the job', async () => {
  await startLanguage();
  await loadTexts('system');
  const state = (of: Job['state']) => vi.mocked(useJobState).mockReturnValue({ job: { jobId: 'j', userName: 'ada', kind: 'SQL', state: of, createTime: 0, elapsedMs: 1, message: '', title: 'Gas', text: 'select 1' } as Job, gone: false, failed: null });
  const client = new QueryClient();
  const drawer = () => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <JobDrawer jobId="j" onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>
  );
  vi.mocked(getJobLog).mockResolvedValue({ lines: [{ time: 0, text: 'reading blocks' }] });
  state('RUNNING');
  const { rerender } = render(drawer());
  await screen.findByText(/reading blocks/);
  vi.mocked(getJobLog).mockReturnValue(new Promise(() => undefined));
  state('SUCCEEDED');
  rerender(drawer());
  screen.getByText(/reading blocks/);
});
