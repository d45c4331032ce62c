/**
 * Pages of a long result as they are looked at: the newest wish first, the pages around it ahead of time, the oldest forgotten.
 * Somebody who drags the scroll bar passes hundreds of pages: those are not fetched, for each answer costs the grid a drawing.
 */

/** Rows of one page. */
export const PAGE_ROWS = 200;
/** Pages that are kept: what somebody scrolls back to is there at once. */
const KEPT = 60;
/** Requests under way at the same time. */
const AT_ONCE = 4;
/** Pages fetched ahead of time behind and before the one that is looked at. */
const AROUND = [1, -1, 2];
/** A wish within so many pages of the last one goes on from it; another one is a jump, and what is farther away was scrolled past. */
const NEAR = 3;
/** Jumps that follow each other faster, in milliseconds, are one hurry through the result. */
const HURRY = 80;
/** A hurry has ended when nothing was jumped to for so long; until then pages come this rarely. */
const REST = 50;
const RARELY = 120;
/** What was scrolled past is fetched when nothing was wished for so long. */
const CALM = 300;

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
  const running = { wanted: 0, guessed: 0 };
  /** Moments of `performance.now()`. */
  const at = { wish: -Infinity, jump: -Infinity, begin: -Infinity };
  let looked = -Infinity;
  let hurried = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const make = (index: number): Page<T> => {
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const page: Page<T> = {
      rows: started.then(() => fetch(index * PAGE_ROWS, Math.min((index + 1) * PAGE_ROWS, total))),
      wanted: false,
      begun: false,
      begin: () => {
        const kind = page.wanted ? 'wanted' : 'guessed';
        const end = () => {
          running[kind] -= 1;
          work();
        };
        page.begun = true;
        running[kind] += 1;
        at.begin = performance.now();
        // Who waits for the page hears of a failure; it may be asked for again.
        page.rows.then(end, () => {
          pages.delete(index);
          end();
        });
        start();
      },
    };
    return page;
  };

  const touch = (index: number, wanted: boolean): Page<T> => {
    const page = pages.get(index) ?? make(index);
    pages.delete(index);
    pages.set(index, page);
    page.wanted ||= wanted;
    return page;
  };

  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };

  /** The pages that may begin now, the most urgent first. */
  const next = (now: number): Page<T>[] => {
    const waiting = [...pages].filter(([, { begun }]) => !begun).reverse();
    const near = waiting.filter(([index]) => Math.abs(index - looked) <= NEAR).map(([, page]) => page);
    const wanted = near.filter((page) => page.wanted);
    if (hurried) return now - at.begin < RARELY ? [] : wanted.slice(0, 1);
    if (wanted.length > 0 || running.wanted > 0) return wanted;
    // The guesses, and once it is calm what was scrolled past.
    return now - at.wish < CALM ? near : waiting.map(([, page]) => page);
  };

  const work = (): void => {
    const now = performance.now();
    if (hurried && now - at.jump >= REST) hurried = false;
    for (const page of next(now).slice(0, Math.max(0, AT_ONCE - running.wanted - running.guessed))) page.begin();
    if (hurried) later(REST);
    else if ([...pages.values()].some(({ begun, wanted }) => wanted && !begun)) later(CALM);
  };

  const forget = () => {
    for (const [index, page] of pages) {
      // Nobody waits for a guess, and the place it was made for is left.
      if (!page.wanted && !page.begun && Math.abs(index - looked) > NEAR) pages.delete(index);
      else if (pages.size > KEPT && page.begun) pages.delete(index);
    }
  };

  return async (from, to) => {
    const first = Math.floor(from / PAGE_ROWS);
    const end = Math.max(first, Math.ceil(to / PAGE_ROWS) - 1);
    const now = performance.now();
    if (Math.abs(first - looked) > NEAR) {
      hurried = now - at.jump < HURRY;
      at.jump = now;
    }
    at.wish = now;
    looked = end;
    for (const step of AROUND) {
      const index = step > 0 ? end + step : first + step;
      if (index >= 0 && index <= last) touch(index, false);
    }
    const wished = Array.from({ length: end - first + 1 }, (_, step) => touch(first + step, true));
    forget();
    work();
    const rows = await Promise.all(wished.map((page) => page.rows));
    return rows.flat().slice(from - first * PAGE_ROWS, to - first * PAGE_ROWS);
  };
}
