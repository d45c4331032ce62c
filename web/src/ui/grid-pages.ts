/** Pages of a long result as they are looked at: the newest wish first, the pages around it ahead of time, the oldest forgotten. */

/** Rows of one page. */
export const PAGE_ROWS = 200;
/** Pages that are kept: what somebody scrolls back to is there at once. */
const KEPT = 60;
/** Requests under way at the same time. */
const AT_ONCE = 4;
/** Pages fetched ahead of time behind and before the one that is looked at. */
const AROUND = [1, -1, 2];

export type FetchPage<T> = (from: number, to: number) => Promise<readonly T[]>;

interface Page<T> {
  readonly rows: Promise<readonly T[]>;
  /** Somebody waits for it; else it was only guessed that somebody will. */
  wanted: boolean;
  begun: boolean;
  readonly begin: () => void;
}

/** Reads rows `from` to `to` of a result of `total` rows. */
export function pagedReader<T>(fetch: FetchPage<T>, total: number): (from: number, to: number) => Promise<T[]> {
  /** In the order of their last use. */
  const pages = new Map<number, Page<T>>();
  const last = Math.max(0, Math.ceil(total / PAGE_ROWS) - 1);
  let running = 0;

  const make = (index: number): Page<T> => {
    let begin = () => {};
    const rows = new Promise<void>((resolve) => {
      begin = resolve;
    }).then(() => fetch(index * PAGE_ROWS, Math.min((index + 1) * PAGE_ROWS, total)));
    const page: Page<T> = {
      rows,
      wanted: false,
      begun: false,
      begin: () => {
        page.begun = true;
        running += 1;
        begin();
      },
    };
    const end = () => {
      running -= 1;
      work();
    };
    // Who waits for the page hears of a failure; it may be asked for again.
    rows.then(end, () => {
      pages.delete(index);
      end();
    });
    return page;
  };

  const touch = (index: number, wanted: boolean): Page<T> => {
    const page = pages.get(index) ?? make(index);
    pages.delete(index);
    pages.set(index, page);
    page.wanted ||= wanted;
    return page;
  };

  /** Begins what was wished for last; guesses that nobody confirmed wait until nothing else does. */
  const work = () => {
    const waiting = [...pages.values()].filter(({ begun }) => !begun).reverse();
    const order = [...waiting.filter(({ wanted }) => wanted), ...waiting.filter(({ wanted }) => !wanted)];
    for (const page of order.slice(0, AT_ONCE - running)) page.begin();
  };

  const forget = () => {
    for (const [index, page] of pages) {
      if (pages.size <= KEPT) return;
      if (page.begun || !page.wanted) pages.delete(index);
    }
  };

  return async (from, to) => {
    const first = Math.floor(from / PAGE_ROWS);
    const end = Math.max(first, Math.ceil(to / PAGE_ROWS) - 1);
    for (const step of AROUND) {
      const index = step > 0 ? end + step : first + step;
      if (index >= 0 && index <= last) touch(index, false);
    }
    const wished = Array.from({ length: end - first + 1 }, (_, at) => touch(first + at, true));
    forget();
    work();
    const rows = await Promise.all(wished.map((page) => page.rows));
    return rows.flat().slice(from - first * PAGE_ROWS, to - first * PAGE_ROWS);
  };
}
