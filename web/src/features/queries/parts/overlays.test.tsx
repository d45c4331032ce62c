// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { restoreVersion, type SavedQuery } from '@/api/queries';
import type { EditorLanguage } from '@/ui/editor/language';
import type { Draft } from '../model/drafts';
import type { Saved } from '../model/use-saved';
import { Overlays } from './overlays';

afterEach(cleanup);

vi.mock('@/api/queries', async (original) => ({ ...(await original<object>()), restoreVersion: vi.fn() }));
vi.mock('./history-drawer', () => ({ HistoryDrawer: ({ onRestoreVersion }: { onRestoreVersion: (version: number) => void }) => <button onClick={() => onRestoreVersion(2)}>Restore</button> }));
vi.mock('./details-dialog', () => ({ DetailsDialog: ({ saved }: { saved: Saved }) => <p>Notes: {saved.query?.notes ?? 'none'}</p> }));

vi.mock('./conflict-dialog', () => ({ ConflictDialog: ({ onCompare }: { onCompare: () => void }) => <button onClick={onCompare}>Differences</button> }));
vi.mock('./compare-dialog', () => ({ CompareDialog: ({ other, text }: { other: { text: string }; text: string }) => <p>{`${other.text} and ${text}`}</p> }));

const draft = { id: 'd', query: { id: 'q', revision: 1 } } as unknown as Draft;

it('the details of a saved query open once they are there', async () => {
  const client = new QueryClient();
  const overlays = (query: SavedQuery | undefined, of = draft) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Overlays draft={of} saved={{ query, conflict: null } as unknown as Saved} visitor={false} language={{} as EditorLanguage} overlay="details" text={() => ''} onClose={() => undefined} onTake={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>
  );
  const { rerender } = render(overlays(undefined, { ...draft, query: null }));
  await screen.findByText('Notes: none');
  rerender(overlays(undefined));
  expect(screen.queryByText(/^Notes/)).toBeNull();
  rerender(overlays({ id: 'q', notes: 'Of every day' } as SavedQuery));
  await screen.findByText('Notes: Of every day');
});

it('a form is laid beside what somebody else saved field by field', async () => {
  const form = (mapper: string) => ({ kind: 'MAPREDUCE', text: '', parameters: [], spec: { mapper } });
  const conflict = { id: 'q', what: form('theirs') } as unknown as SavedQuery;
  const mine = { ...draft, ...form('mine') } as unknown as Draft;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Overlays draft={mine} saved={{ query: conflict, conflict } as Saved} visitor={false} language={{} as EditorLanguage} overlay={null} text={() => ''} onClose={() => undefined} onTake={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByText('Differences'));
  await screen.findByText('{ "mapper": "theirs" } and { "mapper": "mine" }');
});

it('a version is restored once, however often somebody presses', async () => {
  let answer: (query: SavedQuery) => void = () => undefined;
  vi.mocked(restoreVersion).mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const onTake = vi.fn();
  const query = { id: 'q', revision: 3 } as SavedQuery;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Overlays draft={draft} saved={{ query, conflict: null } as unknown as Saved} visitor={false} language={{} as EditorLanguage} overlay="history" text={() => ''} onClose={() => undefined} onTake={onTake} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const press = () => fireEvent.click(screen.getByText('Restore'));
  await screen.findByText('Restore');
  press();
  await waitFor(() => expect(restoreVersion).toHaveBeenCalledOnce());
  press();
  await act(async () => {
    answer(query);
    await Promise.resolve();
  });
  await waitFor(() => expect(onTake).toHaveBeenCalledOnce());
  expect(restoreVersion).toHaveBeenCalledOnce();
});
