import { afterEach, expect, test, vi } from 'vitest';
import { PAGE_ROWS, pagedReader } from './grid-pages';

afterEach(() => {
  vi.useRealTimers();
});

const total = 100 * PAGE_ROWS;
const rowsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/** A server that answers when it is told to, and remembers which pages it was asked for. */
function slow() {
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const read = pagedReader((from, to) => {
    asked.push(from / PAGE_ROWS);
    return new Promise<number[]>((resolve) => answers.push(() => resolve(rowsOf(from, to))));
  }, total);
  return { asked, answers, read };
}

test('rows come in their order, also across pages and at the end', async () => {
  const read = pagedReader((from, to) => Promise.resolve(rowsOf(from, to)), total - 50);
  expect(await read(PAGE_ROWS - 2, PAGE_ROWS + 2)).toEqual([PAGE_ROWS - 2, PAGE_ROWS - 1, PAGE_ROWS, PAGE_ROWS + 1]);
  expect(await read(total - 60, total - 50)).toEqual(rowsOf(total - 60, total - 50));
});

test('who drags the scroll bar gets the page where it stops first, and not those on the way', async () => {
  vi.useFakeTimers();
  const { asked, answers, read } = slow();
  const wished = [10, 20, 30, 40, 50, 60].map((page) => read(page * PAGE_ROWS, (page + 1) * PAGE_ROWS));
  await vi.advanceTimersByTimeAsync(40);
  expect(asked).toEqual([10]);
  await vi.advanceTimersByTimeAsync(20);
  expect(asked).toEqual([10, 60]);
  answers.splice(0).forEach((answer) => answer());
  await vi.advanceTimersByTimeAsync(20);
  // Then the pages around it, which somebody may look at next.
  expect(asked.slice(2).sort()).toEqual([59, 61, 62]);
  answers.splice(0).forEach((answer) => answer());
  // Nothing that was wished for is dropped: it comes when nothing else is wished for.
  const finish = setInterval(() => answers.splice(0).forEach((answer) => answer()), 10);
  await vi.advanceTimersByTimeAsync(1_000);
  clearInterval(finish);
  expect((await Promise.all(wished)).map(([first]) => first)).toEqual([10, 20, 30, 40, 50, 60].map((page) => page * PAGE_ROWS));
});

test('who drags on and on sees a page now and then', async () => {
  vi.useFakeTimers();
  const { asked, answers, read } = slow();
  for (let page = 0; page < 90; page += 5) {
    void read(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
    await vi.advanceTimersByTimeAsync(16);
    answers.splice(0).forEach((answer) => answer());
  }
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.length).toBeLessThan(5);
});

test('a single jump waits for nothing', () => {
  vi.useFakeTimers();
  const { asked, read } = slow();
  void read(0, PAGE_ROWS);
  vi.advanceTimersByTime(1_000);
  void read(70 * PAGE_ROWS, 71 * PAGE_ROWS);
  return vi.waitFor(() => expect(asked).toEqual([0, 70]));
});

test('the next page is there before somebody asks', async () => {
  const asked: number[] = [];
  const read = pagedReader((from, to) => {
    asked.push(from / PAGE_ROWS);
    return Promise.resolve(rowsOf(from, to));
  }, total);
  await read(5 * PAGE_ROWS, 6 * PAGE_ROWS);
  await vi.waitFor(() => expect([...asked].sort((a, b) => a - b)).toEqual([4, 5, 6, 7]));
  await read(6 * PAGE_ROWS, 7 * PAGE_ROWS);
  expect(asked.filter((page) => page === 6)).toHaveLength(1);
});

test('a page that failed is asked for again', async () => {
  let fails = true;
  const read = pagedReader((from, to) => (fails ? Promise.reject(new Error('away')) : Promise.resolve(rowsOf(from, to))), total);
  await expect(read(0, 10)).rejects.toThrow('away');
  fails = false;
  expect(await read(0, 10)).toEqual(rowsOf(0, 10));
});
