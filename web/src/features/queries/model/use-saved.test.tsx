// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { getQuery, updateQuery, updateVisualization, type QueryChange, type SavedQuery } from '@/api/queries';
import { draftOf, type Draft } from './drafts';
import { changeDraft, openDraft, startTabs, useTabs } from './tabs';
import { useSaved } from './use-saved';

vi.mock('@/api/queries', async (original) => ({ ...(await original<object>()), getQuery: vi.fn(), updateQuery: vi.fn(), updateVisualization: vi.fn() }));

const saved = (revision: number, text: string) =>
  ({ id: 'q', revision, title: 'Blocks', what: { kind: 'SQL', text, parameters: [] }, visualizations: [{ id: 'v', revision: 1, title: 'Bars', viz: { type: 'bar', options: {} } }] }) as unknown as SavedQuery;

/** What the server has. */
let there: SavedQuery;

beforeAll(async () => {
  await startLanguage();
  await loadTexts('editors');
});

beforeEach(() => {
  startTabs(`ada${Math.random()}`);
  there = saved(1, 'select 1');
  vi.mocked(getQuery).mockImplementation(() => Promise.resolve(there));
  vi.mocked(updateQuery).mockImplementation(({ title }: QueryChange) => {
    there = { ...there, revision: there.revision + 1, title: title ?? there.title };
    return Promise.resolve(there);
  });
  vi.mocked(updateVisualization).mockImplementation((id, revision) => Promise.resolve({ id, revision: revision + 1 } as Awaited<ReturnType<typeof updateVisualization>>));
});

/** The page with a draft of the query as it is now. */
function open() {
  const draft: Draft = draftOf(there, 'ada', 1);
  openDraft(draft);
  const client = new QueryClient();
  const { result } = renderHook(
    () => {
      const now = useTabs().drafts.find(({ id }) => id === draft.id) ?? draft;
      return { draft: now, saved: useSaved(now) };
    },
    { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  return { page: result, change: (change: Partial<Draft>) => act(() => changeDraft(draft.id, change)), charts: draft.charts };
}

/** A draft that was changed, of a query that somebody else has saved since. */
async function outdated() {
  const opened = open();
  await waitFor(() => expect(opened.page.current.saved.query).toBeDefined());
  opened.change({ text: 'select mine' });
  there = saved(2, 'select theirs');
  act(() => opened.page.current.saved.reload());
  await waitFor(() => expect(opened.page.current.saved.outdated).toBe(true));
  return opened;
}

it('a new title does not make an older text the one that the newest was made of', async () => {
  const { page } = await outdated();
  await act(() => page.current.saved.change({ title: 'Better' }));
  await waitFor(() => expect(page.current.saved.query?.title).toBe('Better'));
  expect(page.current.draft.title).toBe('Better');
  expect([page.current.draft.query?.revision, page.current.saved.outdated]).toEqual([1, true]);
});

it('neither does a chart that is saved alone', async () => {
  const { page, change, charts } = await outdated();
  change({ charts: charts.map((chart) => ({ ...chart, title: 'Better bars' })) });
  act(() => page.current.saved.saveChart(charts[0]?.id ?? ''));
  await waitFor(() => expect(updateVisualization).toHaveBeenCalled());
  await waitFor(() => expect(page.current.saved.saving).toBe(false));
  expect([page.current.draft.query?.revision, page.current.saved.outdated]).toEqual([1, true]);
});

it('nor does a save by somebody else while the charts of one’s own are saved', async () => {
  const { page, change, charts } = open();
  await waitFor(() => expect(page.current.saved.query).toBeDefined());
  change({ text: 'select mine', charts: charts.map((chart) => ({ ...chart, title: 'Better bars' })) });
  vi.mocked(updateQuery).mockImplementation(() => Promise.resolve((there = saved(2, 'select mine'))));
  vi.mocked(updateVisualization).mockImplementation((id, revision) => {
    there = saved(3, 'select theirs');
    return Promise.resolve({ id, revision: revision + 1 } as Awaited<ReturnType<typeof updateVisualization>>);
  });
  act(() => page.current.saved.save());
  await waitFor(() => expect(page.current.saved.outdated).toBe(true));
  expect(page.current.draft.query?.revision).toBe(2);
});

it('a new title of a text that is still the newest belongs to it', async () => {
  const { page, change } = open();
  await waitFor(() => expect(page.current.saved.query).toBeDefined());
  change({ text: 'select mine' });
  await act(() => page.current.saved.change({ title: 'Better' }));
  expect([page.current.draft.query?.revision, page.current.draft.title, page.current.saved.outdated]).toEqual([2, 'Better', false]);
});
