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
  const reader = pagedReader((from, to) => {
    asked.push(from / PAGE_ROWS);
    return new Promise<number[]>((resolve) => answers.push(() => resolve(rowsOf(from, to))));
  }, total);
  /** Scrolls to a page, of which the grid then asks for the rows. */
  const scrollTo = (page: number) => {
    reader.look(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
    return reader.read(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).then(([first = NaN]) => first / PAGE_ROWS);
  };
  const answer = () => answers.splice(0).forEach((one) => one());
  return { asked, answer, reader, scrollTo };
}

test('rows come in their order, also across pages and at the end', async () => {
  const { read } = pagedReader((from, to) => Promise.resolve(rowsOf(from, to)), total - 50);
  expect(await read(PAGE_ROWS - 2, PAGE_ROWS + 2)).toEqual([PAGE_ROWS - 2, PAGE_ROWS - 1, PAGE_ROWS, PAGE_ROWS + 1]);
  expect(await read(total - 60, total - 50)).toEqual(rowsOf(total - 60, total - 50));
});

test('who drags the scroll bar gets the page where it stops, and nothing of those on the way', async () => {
  vi.useFakeTimers();
  const { asked, answer, scrollTo } = slow();
  const shown: number[] = [];
  for (const page of [10, 20, 30, 40, 50, 60]) void scrollTo(page).then((at) => shown.push(at));
  expect(asked).toEqual([10]);
  answer();
  await vi.advanceTimersByTimeAsync(60);
  expect(asked).toEqual([10, 60]);
  expect(shown).toEqual([]);
  answer();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown).toEqual([60]);
  // Then the pages around it, which somebody may look at next.
  expect(asked.slice(2).sort()).toEqual([59, 61, 62]);
});

test('a page that was left is there when somebody comes back to it', async () => {
  vi.useFakeTimers();
  const { answer, scrollTo, reader } = slow();
  const shown: number[] = [];
  void scrollTo(10).then((at) => shown.push(at));
  void scrollTo(50).then((at) => shown.push(at));
  answer();
  await vi.advanceTimersByTimeAsync(60);
  answer();
  await vi.advanceTimersByTimeAsync(60);
  expect(shown).toEqual([50]);
  reader.look(10 * PAGE_ROWS, 11 * PAGE_ROWS);
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toEqual([50, 10]);
});

test('who drags on and on has a page fetched now and then', async () => {
  vi.useFakeTimers();
  const { asked, answer, scrollTo } = slow();
  for (let page = 0; page < 90; page += 5) {
    void scrollTo(page);
    await vi.advanceTimersByTimeAsync(16);
    answer();
  }
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.length).toBeLessThan(6);
});

test('a single jump waits for nothing, and neither do jumps from rows that are here', async () => {
  vi.useFakeTimers();
  const { asked, answer, scrollTo } = slow();
  for (const page of [0, 70, 20]) {
    void scrollTo(page);
    expect(asked.at(-1)).toBe(page);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    answer();
  }
});

test('the next page is there before somebody asks', async () => {
  const asked: number[] = [];
  const reader = pagedReader((from, to) => {
    asked.push(from / PAGE_ROWS);
    return Promise.resolve(rowsOf(from, to));
  }, total);
  reader.look(5 * PAGE_ROWS, 6 * PAGE_ROWS);
  await vi.waitFor(() => expect([...asked].sort((a, b) => a - b)).toEqual([4, 5, 6, 7]));
  reader.look(6 * PAGE_ROWS, 7 * PAGE_ROWS);
  await reader.read(6 * PAGE_ROWS, 7 * PAGE_ROWS);
  expect(asked.filter((page) => page === 6)).toHaveLength(1);
});

test('rows that could not be fetched are told of, and come once they can be', async () => {
  let fails = true;
  const told: boolean[] = [];
  const reader = pagedReader((from, to) => (fails ? Promise.reject(new Error('away')) : Promise.resolve(rowsOf(from, to))), total, (trouble) => told.push(trouble));
  reader.look(0, 10);
  const rows = reader.read(0, 10);
  await vi.waitFor(() => expect(told.at(-1)).toBe(true));
  fails = false;
  reader.retry();
  expect(await rows).toEqual(rowsOf(0, 10));
  expect(told.at(-1)).toBe(false);
});
