// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import type { SavedQuery } from '@/api/queries';
import { loadTexts, startLanguage } from '@/i18n';
import { Notices } from '@/ui/notices';
import type { Draft } from '../model/drafts';
import type { Saved } from '../model/use-saved';
import { DetailsDialog } from './details-dialog';

const setVisibility = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
vi.mock('@/api/queries', async (actual) => ({ ...(await actual<object>()), setVisibility }));

beforeAll(async () => {
  // jsdom has neither.
  vi.stubGlobal('matchMedia', () => ({ matches: true, addListener: () => undefined, removeListener: () => undefined, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });
  await startLanguage();
  await loadTexts('editors');
});

it('a tag that is too long is told, not cut; who may see the query has to be told to the server before it is called saved', async () => {
  const query = { id: 'q', title: 'Gas', notes: '', tags: ['gas'], visibility: 'private', updateStrategy: 'manual', cron: '', paused: false } as unknown as SavedQuery;
  const change = vi.fn<Saved['change']>(() => Promise.resolve(true));
  const onClose = vi.fn<() => void>();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Notices />
      <DetailsDialog draft={{ id: 'd', kind: 'SQL', text: '', spec: null, charts: [], query: { id: 'q', revision: 1 } } as unknown as Draft} saved={{ query, change } as unknown as Saved} onClose={onClose} onCreated={() => undefined} />
    </QueryClientProvider>,
  );
  const tags = screen.getByLabelText('Tags');
  const add = (text: string) => {
    fireEvent.change(tags, { target: { value: text } });
    fireEvent.keyDown(tags, { key: 'Enter' });
  };
  add('sixteen letters!');
  screen.getByText('A tag has at most 15 characters!');
  add('daily');
  fireEvent.click(screen.getByRole('radio', { name: /^Public/ }));
  setVisibility.mockRejectedValueOnce(new Error('Queries of this account stay private.'));
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('alert');
  expect(change.mock.lastCall?.[0].tags).toEqual(['gas', 'daily']);
  expect([onClose.mock.calls.length, screen.queryByText('Saved')]).toEqual([0, null]);
  setVisibility.mockResolvedValueOnce(null);
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
