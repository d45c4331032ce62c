// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useMineOf } from './api';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));

it('creations are found by their ids on whatever page they are, and no page more is read', async () => {
  const all = Array.from({ length: 350 }, (_, number) => ({ id: `c${number}` }));
  call.mockImplementation((_method: string, _path: string, { query: { page, size } }: { query: { page: number; size: number } }) => Promise.resolve({ items: all.slice((page - 1) * size, page * size), total: all.length }));
  const client = new QueryClient();
  const { result } = renderHook(() => useMineOf(['c3', 'c204']), { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> });
  await waitFor(() => expect(result.current.data?.map(({ id }) => id)).toEqual(['c3', 'c204']));
  expect(call).toHaveBeenCalledTimes(3);
});
