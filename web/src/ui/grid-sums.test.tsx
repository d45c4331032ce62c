// @vitest-environment jsdom
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { rowSource } from './grid-rows';
import { useSums } from './grid-sums';

const source = (...cells: string[]) => rowSource((offset, limit) => Promise.resolve(cells.slice(offset, offset + limit).map((cell) => [cell])), cells.length);

it('a sum is that of the rows on show, also when the result has run anew', async () => {
  const failed = vi.fn<() => void>();
  const { result, rerender } = renderHook(({ rows }) => useSums(rows, failed), { initialProps: { rows: source('1', '2') } });
  act(() => result.current.toggle(0));
  await waitFor(() => expect(result.current.sums).toEqual({ 0: '3' }));
  rerender({ rows: source('5', '6') });
  expect(result.current.sums).toEqual({});
  act(() => result.current.toggle(0));
  await waitFor(() => expect(result.current.sums).toEqual({ 0: '11' }));
  act(() => result.current.toggle(0));
  expect(result.current.sums).toEqual({});
});

it('an answer for rows that are gone is neither shown nor told as a failure', async () => {
  const failed = vi.fn<() => void>();
  let answer: (sum: string) => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const late = { ...source(), sum: () => new Promise<string>((resolve) => (answer = resolve)) };
  const stopped = { ...source(), sum: () => new Promise<string>((_, reject) => (refuse = reject)) };
  const { result, rerender } = renderHook(({ rows }) => useSums(rows, failed), { initialProps: { rows: late } });
  act(() => result.current.toggle(0));
  rerender({ rows: stopped });
  act(() => result.current.toggle(0));
  rerender({ rows: { ...source(), sum: () => Promise.resolve('7') } });
  answer('3');
  refuse(new Error('stopped'));
  act(() => result.current.toggle(1));
  await waitFor(() => expect(result.current.sums).toEqual({ 1: '7' }));
  expect(failed).not.toHaveBeenCalled();
});
