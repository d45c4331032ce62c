// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { useFavorite } from './favorites';

const call = vi.hoisted(() => vi.fn());
vi.mock('./call', () => ({ call }));

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
