// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import type { ResultPage } from '@/api/jobs';
import { useDrawnTable, useFetchRows, useResult, type ResultSource } from './use-result-table';

/** A result of numbers; its first answer waits until `open` is called. */
function resultOf(key: string, total: number) {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const read = async (offset: number, limit: number): Promise<ResultPage> => {
    await opened;
    return { columns: [{ name: key, type: 'int' }], rows: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, at) => [offset + at]), total };
  };
  return { source: { key, read } satisfies ResultSource, open };
}

it('a former result stays whole until the next is here, of which all rows are drawn', async () => {
  const client = new QueryClient();
  const [former, next] = [resultOf('former', 300), resultOf('next', 5_000)];
  const { result, rerender } = renderHook(
    ({ source }: { source: ResultSource }) => {
      const first = useResult(source, 'draft').data;
      const fetchRows = useFetchRows(first);
      return { first, fetchRows, table: useDrawnTable(first, fetchRows, true).table };
    },
    { initialProps: { source: former.source }, wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  former.open();
  await waitFor(() => expect(result.current.table?.rows.length).toBe(300));

  rerender({ source: next.source });
  expect([result.current.first?.source.key, result.current.table?.columns[0]?.name]).toEqual(['former', 'former']);
  expect(await result.current.fetchRows(250, 100, new AbortController().signal)).toHaveLength(50);

  next.open();
  await waitFor(() => expect(result.current.table?.rows.length).toBe(5_000));
  expect(result.current.first?.source.key).toBe('next');
});

it('rows behind the first that do not come are told, and may be asked for again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { source, open } = resultOf('long', 500);
  open();
  const read = vi.fn(source.read);
  const { result } = renderHook(
    () => {
      const first = useResult({ ...source, read }).data;
      return useDrawnTable(first, useFetchRows(first), first !== undefined);
    },
    { wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  read.mockImplementation((offset, limit) => (limit > 200 ? Promise.reject(new Error('no connection')) : source.read(offset, limit)));
  await waitFor(() => expect(result.current.error?.message).toBe('no connection'));
  expect(result.current.table).toBeUndefined();
  read.mockImplementation(source.read);
  result.current.retry();
  await waitFor(() => expect(result.current.table?.rows.length).toBe(500));
  expect(result.current.error).toBeNull();
});
