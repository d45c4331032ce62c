import { expect, test, vi } from 'vitest';
import { PAGE_ROWS, pagedReader } from './grid-pages';

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

test('what was wished for last comes before what was scrolled past', async () => {
  const { asked, answers, read } = slow();
  const wished = [10, 20, 30, 40, 50, 60].map((page) => read(page * PAGE_ROWS, (page + 1) * PAGE_ROWS));
  await vi.waitFor(() => expect(asked).toHaveLength(4));
  asked.length = 0;
  answers.shift()?.();
  await vi.waitFor(() => expect(asked).toEqual([60]));
  // Nothing that was wished for is dropped.
  const finish = setInterval(() => answers.splice(0).forEach((answer) => answer()));
  expect((await Promise.all(wished)).map(([first]) => first)).toEqual([10, 20, 30, 40, 50, 60].map((page) => page * PAGE_ROWS));
  clearInterval(finish);
});

test('the next page is there before somebody asks', async () => {
  const asked: number[] = [];
  const read = pagedReader((from, to) => {
    asked.push(from / PAGE_ROWS);
    return Promise.resolve(rowsOf(from, to));
  }, total);
  await read(5 * PAGE_ROWS, 6 * PAGE_ROWS);
  expect([...asked].sort((a, b) => a - b)).toEqual([4, 5, 6, 7]);
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
