// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { dashboardKey, saveDashboard, type DashboardView } from '../api';
import { readDraft } from './drafts';
import { useEditor } from './use-editor';

vi.mock('../api', async (original) => ({ ...(await original<object>()), saveDashboard: vi.fn() }));

const view = { id: 'b1', revision: 3, title: 'Board', notes: '', tags: [], content: { widgets: [] }, shows: [] } as unknown as DashboardView;
const target = { id: 'b1', share: undefined, anonymous: false };
const answers: ((revision: number) => void)[] = [];

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('quarry.autosave', 'off');
  answers.length = 0;
  vi.mocked(saveDashboard).mockReset();
  vi.mocked(saveDashboard).mockImplementation(() => new Promise((resolve) => answers.push((revision) => resolve({ ...view, revision }))));
});

function start(client = new QueryClient()) {
  return renderHook(() => useEditor(view, target), { wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> });
}

const sent = () => vi.mocked(saveDashboard).mock.calls.map(([{ revision, title }]) => [revision, title]);

it('saving twice at once sends once: the second would meet the revision of the first as somebody else’s', async () => {
  const { result } = start();
  act(() => result.current.change((now) => ({ ...now, title: 'One' }), 'title'));
  act(() => {
    result.current.saveNow();
    result.current.saveNow();
  });
  expect(sent()).toEqual([[3, 'One']]);
  await act(async () => {
    answers[0]?.(4);
    await Promise.resolve();
  });
  await waitFor(() => expect(result.current.save.phase).toBe('saved'));
  expect(sent()).toHaveLength(1);
});

it('what was changed and saved meanwhile goes out on the revision that the answer brought', async () => {
  const { result } = start();
  act(() => result.current.change((now) => ({ ...now, title: 'One' }), 'title'));
  act(() => result.current.saveNow());
  act(() => result.current.change((now) => ({ ...now, title: 'Two' }), 'other'));
  act(() => result.current.saveNow());
  await act(async () => {
    answers[0]?.(4);
    await Promise.resolve();
  });
  await waitFor(() => expect(sent()).toEqual([[3, 'One'], [4, 'Two']]));
});

it('an answer that was on its way before a save does not take its place', async () => {
  const client = new QueryClient();
  const queryKey = dashboardKey(target);
  client.setQueryData(queryKey, view);
  let answer: (old: DashboardView) => void = () => undefined;
  const asked = client.query({
    queryKey,
    queryFn: () =>
      new Promise<DashboardView>((resolve) => {
        answer = resolve;
      }),
  });
  const { result } = start(client);
  act(() => result.current.change((now) => ({ ...now, title: 'One' }), 'title'));
  act(() => result.current.saveNow());
  act(() => answers[0]?.(4));
  await waitFor(() => expect(result.current.save.phase).toBe('saved'));
  await act(async () => {
    answer(view);
    await asked.catch(() => undefined);
  });
  expect(client.getQueryData<DashboardView>(queryKey)?.revision).toBe(4);
});

it('what is changed while a save is on its way is saved too when the editor is left, and is no conflict with oneself', async () => {
  localStorage.setItem('quarry.autosave', 'on');
  const { result, unmount } = start();
  act(() => result.current.change((now) => ({ ...now, title: 'One' }), 'title'));
  act(() => result.current.saveNow());
  act(() => result.current.change((now) => ({ ...now, title: 'Two' }), 'other'));
  unmount();
  answers[0]?.(4);
  await waitFor(() => expect(sent()).toEqual([[3, 'One'], [4, 'Two']]));
  expect(readDraft('b1')).toMatchObject({ revision: 4, document: { title: 'Two' } });
  answers[1]?.(5);
  await waitFor(() => expect(readDraft('b1')).toBeNull());
  expect(sent()).toHaveLength(2);
});

it('what nothing saves by itself stays on this device, on the revision that the last save brought', async () => {
  const { result, unmount } = start();
  act(() => result.current.change((now) => ({ ...now, title: 'One' }), 'title'));
  act(() => result.current.saveNow());
  act(() => result.current.change((now) => ({ ...now, title: 'Two' }), 'other'));
  unmount();
  answers[0]?.(4);
  await waitFor(() => expect(readDraft('b1')).toMatchObject({ revision: 4, document: { title: 'Two' } }));
  expect(sent()).toEqual([[3, 'One']]);
});
