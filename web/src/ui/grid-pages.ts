/**
 * Pages of a long result as they are looked at. Somebody who drags the scroll bar passes thousands of rows: what is in sight
 * comes first, and of what has left it nothing is fetched or handed on, for each answer costs the grid a drawing.
 */

/** Rows of one page. */
export const PAGE_ROWS = 200;
/** Pages that are kept: what somebody scrolls back to is there at once. */
const KEPT = 60;
/** Requests under way at the same time beside those for pages in sight. */
const AT_ONCE = 3;
/** Pages fetched ahead of time behind and before those in sight. */
const AROUND = [1, -1, 2];
/** Another place so many pages away is scrolled to; farther away, it is jumped to. */
const NEAR = 3;
/** Milliseconds without a jump after which a hurry through the result has ended. */
const REST = 40;
/** Milliseconds between the requests of a hurry that goes on: now and then it shows where it is. */
const RARELY = 120;

export type FetchPage<T> = (from: number, to: number) => Promise<readonly T[]>;

interface Page<T> {
  rows: readonly T[] | undefined;
  begun: boolean;
  failed: boolean;
  /** Those who asked for it before its rows were here and it was in sight. */
  readonly waiting: ((rows: readonly T[]) => void)[];
}

export interface PagedReader<T> {
  /** Says that rows `from` to `to` are in sight, all others out of it. */
  readonly look: (from: number, to: number) => void;
  /** Answers rows `from` to `to` once they are here and in sight. */
  readonly read: (from: number, to: number) => Promise<T[]>;
  /** Fetches what failed once more. */
  readonly retry: () => void;
}

/** Reads a result of `total` rows; `onTrouble` hears whether rows in sight could not be fetched. */
export function pagedReader<T>(fetch: FetchPage<T>, total: number, onTrouble: (trouble: boolean) => void = () => {}): PagedReader<T> {
  /** In the order of their last use. */
  const pages = new Map<number, Page<T>>();
  const last = Math.max(0, Math.ceil(total / PAGE_ROWS) - 1);
  /** Pages in sight, the last one included; before the first look everything is. */
  let sight = { first: 0, last };
  let looked = false;
  let running = 0;
  /** Moments of `performance.now()`. */
  let jumped = -Infinity;
  let asked = -Infinity;
  /** Places are left before their rows came. */
  let hurried = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const indexesOf = (from: number, to: number) => {
    const first = Math.floor(from / PAGE_ROWS);
    return { first, last: Math.min(last, Math.max(first, Math.ceil(to / PAGE_ROWS) - 1)) };
  };
  const between = (from: { first: number; last: number }) => Array.from({ length: from.last - from.first + 1 }, (_, step) => from.first + step);

  const touch = (index: number): Page<T> => {
    const page = pages.get(index) ?? { rows: undefined, begun: false, failed: false, waiting: [] };
    pages.delete(index);
    pages.set(index, page);
    return page;
  };

  /** The pages of which rows are in sight, and those that somebody waits for while nothing is said about it. */
  const inSight = (): Page<T>[] => (looked ? between(sight).map(touch) : [...pages.values()].filter(({ waiting }) => waiting.length > 0));

  const handOn = (index: number, page: Page<T>) => {
    // The pages next to those in sight have rows that are drawn, too.
    if (!page.rows || index < sight.first - 1 || index > sight.last + 1) return;
    for (const give of page.waiting.splice(0)) give(page.rows);
  };

  const begin = (index: number, page: Page<T>) => {
    page.begun = true;
    page.failed = false;
    running += 1;
    asked = performance.now();
    fetch(index * PAGE_ROWS, Math.min((index + 1) * PAGE_ROWS, total)).then(
      (rows) => {
        page.rows = rows;
        running -= 1;
        handOn(index, page);
        work();
      },
      () => {
        page.failed = true;
        running -= 1;
        work();
      },
    );
  };

  /** Lets a page that failed begin once more. */
  const again = (page: Page<T>) => {
    if (page.failed) Object.assign(page, { begun: false, failed: false });
  };

  const forget = () => {
    let surplus = [...pages.values()].filter(({ rows }) => rows).length - KEPT;
    for (const [index, page] of pages) {
      if (surplus <= 0) return;
      if (!page.rows) continue;
      surplus -= 1;
      if (page.waiting.length > 0) Object.assign(page, { rows: undefined, begun: false });
      else pages.delete(index);
    }
  };

  const work = (): void => {
    const now = performance.now();
    if (hurried && now - jumped >= REST) hurried = false;
    const seen = inSight();
    if (hurried) {
      clearTimeout(timer);
      timer = setTimeout(work, REST);
      if (running > 0 || now - asked < RARELY) return;
    }
    for (const [index, page] of pages) if (!page.begun && seen.includes(page)) begin(index, page);
    onTrouble(seen.some(({ failed }) => failed));
    if (hurried || !looked || seen.some(({ rows }) => !rows)) return;
    for (const step of AROUND) {
      const index = step > 0 ? sight.last + step : sight.first + step;
      if (running >= AT_ONCE || index < 0 || index > last) continue;
      const page = touch(index);
      if (!page.begun) begin(index, page);
    }
    forget();
  };

  return {
    look: (from, to) => {
      const next = indexesOf(from, to);
      if (looked && next.first === sight.first && next.last === sight.last) return;
      const now = performance.now();
      if (looked && (next.first > sight.last + NEAR || next.last < sight.first - NEAR)) {
        hurried = inSight().some(({ rows }) => !rows);
        jumped = now;
      }
      looked = true;
      sight = next;
      for (const index of between({ first: Math.max(0, sight.first - 1), last: Math.min(last, sight.last + 1) })) {
        const page = pages.get(index);
        if (page) handOn(index, page);
      }
      for (const page of inSight()) again(page);
      work();
    },
    read: async (from, to) => {
      const wished = between(indexesOf(from, to)).map((index) => {
        const page = touch(index);
        again(page);
        const rows = new Promise<readonly T[]>((resolve) => page.waiting.push(resolve));
        handOn(index, page);
        return rows;
      });
      work();
      const start = indexesOf(from, to).first * PAGE_ROWS;
      return (await Promise.all(wished)).flat().slice(from - start, to - start);
    },
    retry: () => {
      for (const page of pages.values()) again(page);
      work();
    },
  };
}
