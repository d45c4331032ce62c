// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useFavorite, type Marked } from './favorites';

const call = vi.hoisted(() => vi.fn());
vi.mock('./call', () => ({ call }));
afterEach(cleanup);

it('marks and takes the mark back in that order, however slow the answers are', async () => {
  let answer: () => void = () => undefined;
  call.mockImplementation(
    () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
  );
  const client = new QueryClient();
  const { result } = renderHook(() => useFavorite({ kind: 'query', id: 'q', favorited: false, favorites: 2 }), {
    wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const paths = () => call.mock.calls.map(([, path]) => path as string);
  act(() => result.current.toggle());
  expect(result.current.favorites).toBe(3);
  act(() => result.current.toggle());
  expect(result.current.favorites).toBe(2);
  await waitFor(() => expect(paths()).toEqual(['/api/favorite/add']));
  await act(async () => {
    answer();
    await Promise.resolve();
  });
  await waitFor(() => expect(paths()).toEqual(['/api/favorite/add', '/api/favorite/remove']));
});

it('a mark is of one thing: another one in its row, and a later answer, are shown as they are', async () => {
  call.mockResolvedValue(true);
  const client = new QueryClient();
  const of = (id: string, favorited: boolean): Marked => ({ kind: 'query', id, favorited, favorites: 2 });
  const { result, rerender } = renderHook((marked: Marked) => useFavorite(marked), {
    initialProps: of('a', true),
    wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  act(() => result.current.toggle());
  expect(result.current.favorited).toBe(false);
  // The list has moved up.
  rerender(of('b', true));
  expect([result.current.favorited, result.current.favorites]).toEqual([true, 2]);
  rerender(of('a', true));
  act(() => result.current.toggle());
  rerender(of('a', false));
  expect(result.current.favorited).toBe(false);
  // Marked again in another window.
  rerender(of('a', true));
  expect(result.current.favorited).toBe(true);
  await waitFor(() => expect(client.isMutating()).toBe(0));
});

it('the answer for a thing whose row shows another one by then is told of that thing', async () => {
  let answer: () => void = () => undefined;
  call.mockImplementation(
    () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
  );
  const client = new QueryClient();
  const cards = () => [{ kind: 'query', id: 'a', favorited: false, favorites: 2 }, { kind: 'query', id: 'b', favorited: false, favorites: 2 }];
  client.setQueryData(['cards'], cards());
  const told: string[] = [];
  const { result, rerender } = renderHook((id: string) => useFavorite({ kind: 'query', id, favorited: false, favorites: 2 }, () => told.push(id)), {
    initialProps: 'a',
    wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  act(() => result.current.toggle());
  await waitFor(() => expect(call).toHaveBeenLastCalledWith('post', '/api/favorite/add', { body: { kind: 'query', id: 'a', share: undefined } }));
  rerender('b');
  act(() => answer());
  await waitFor(() => expect(told).toEqual(['a']));
  expect(client.getQueryData<ReturnType<typeof cards>>(['cards'])?.map(({ favorited }) => favorited)).toEqual([true, false]);
});
