// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { getVersion, listRuns, listVersions, type QueryText, type SavedQuery } from '@/api/queries';
import { loadTexts, startLanguage } from '@/i18n';
import { Notices } from '@/ui/notices';
import { HistoryDrawer, type Compared } from './history-drawer';

vi.mock('@/api/queries', async (original) => ({ ...(await original<object>()), listVersions: vi.fn(), listRuns: vi.fn(), getVersion: vi.fn() }));
// jsdom lays nothing out: it can't say what the drawer could give the focus to.
vi.mock('@/ui/drawer', () => ({ Drawer: ({ children }: { children: ReactNode }) => children }));

const spec = (mapper: string) => ({ mapper, tableName: '' }) as unknown as NonNullable<QueryText['spec']>;
const query = { id: 'q', what: { kind: 'MAPREDUCE', text: '', spec: spec('new') } } as SavedQuery;

beforeAll(async () => {
  // jsdom has neither; the tabs ask for them.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() {} unobserve() {} disconnect() {} });
  await startLanguage();
  await loadTexts('editors');
}, 60_000);
afterEach(cleanup);

function open(visitor: boolean, client = new QueryClient({ defaultOptions: { queries: { retry: false } } })) {
  const onCompare = vi.fn<(other: Compared) => void>();
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <HistoryDrawer query={query} share={null} visitor={visitor} editable onClose={() => undefined} onCompare={onCompare} onRestoreVersion={() => undefined} onRestoreRun={() => undefined} />
        <Notices />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return onCompare;
}

it('a version of a form is compared by its fields, and one that can’t be read says why', async () => {
  vi.mocked(listVersions).mockResolvedValue({ items: [{ version: 1, title: 'First', createTime: 1, userName: 'ada' }], total: 1 } as Awaited<ReturnType<typeof listVersions>>);
  vi.mocked(getVersion).mockRejectedValueOnce(new ApiError('There is no such version.', 'not_found', 404));
  const onCompare = open(true);
  fireEvent.click(await screen.findByRole('button', { name: 'Compare' }));
  await screen.findByRole('alert');
  expect(onCompare).not.toHaveBeenCalled();
  vi.mocked(getVersion).mockResolvedValueOnce({ what: { kind: 'MAPREDUCE', text: '', spec: spec('old') } } as Awaited<ReturnType<typeof getVersion>>);
  fireEvent.click(screen.getByRole('button', { name: 'Compare' }));
  await waitFor(() => expect(onCompare).toHaveBeenCalledWith(expect.objectContaining({ text: '{\n  "mapper": "old"\n}' })));
});

it('a run of a form is compared by its fields, and only one of another form can be restored', async () => {
  const run = (jobId: string, mapper: string) => ({ jobId, state: 'FAILED', origin: 'manual', createTime: 1, text: JSON.stringify({ tableName: '', mapper }), parameters: '', message: '', userName: 'ada' });
  vi.mocked(listRuns).mockResolvedValue({ items: [run('a', 'new'), run('b', 'old')], total: 2 } as unknown as Awaited<ReturnType<typeof listRuns>>);
  const onCompare = open(false);
  const buttons = await screen.findAllByRole('button', { name: 'Compare' });
  for (const button of buttons) fireEvent.click(button);
  expect(onCompare.mock.calls.map(([{ text }]) => text)).toEqual(['{\n  "mapper": "new"\n}', '{\n  "mapper": "old"\n}']);
  expect(screen.getAllByRole('button', { name: 'Restore' })).toHaveLength(1);
});

it('what was read stays when it can’t be read again, says so, and from a page that can’t be read there is a way back', async () => {
  const version = (number: number) => ({ version: number, title: `Title ${number}`, createTime: 1, userName: 'ada' });
  const failure = new ApiError('The server could not be reached.', 'network', 0);
  const read = vi.mocked(listVersions);
  read.mockResolvedValue({ items: [version(30)], total: 30 } as Awaited<ReturnType<typeof listVersions>>);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  open(true, client);
  await screen.findByText('Title 30');
  read.mockRejectedValueOnce(failure);
  void client.refetchQueries({ queryKey: ['history'] });
  await screen.findByText(/could not be read again/);
  screen.getByText('Title 30');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText(/could not be read again/)).toBeNull());
  read.mockRejectedValueOnce(failure);
  fireEvent.click(screen.getByRole('listitem', { name: 'Next Page' }).querySelector('button') as HTMLElement);
  await waitFor(() => expect(screen.queryByText('Title 30')).toBeNull());
  fireEvent.click(screen.getByRole('listitem', { name: 'Previous Page' }).querySelector('button') as HTMLElement);
  await screen.findByText('Title 30');
});
