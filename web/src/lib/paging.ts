// Pages of lists in the address: `page` counts from 1, `size` is one of the sizes that people may choose. A list that is but a part of
// its page has keys of its own, such as `credits.page`: the page stays where it is scrolled to when that list is turned.

export const pageSizes: readonly number[] = [10, 20, 30, 50];
export const usualSize = 20;
/** Of the lists with previews. */
export const cardSize = 10;

export interface Paging {
  page: number;
  size: number;
}

/** Reads the address; what makes no sense there counts as not given. `part` names the list where it has keys of its own. */
export function readPaging(search: URLSearchParams, firstSize = usualSize, part?: string): Paging {
  const size = whole(search.get(keyOf('size', part)));
  return { page: whole(search.get(keyOf('page', part))) ?? 1, size: size !== null && pageSizes.includes(size) ? size : firstSize };
}

/** The address of a page; what is as at first is left out. */
export function writePaging({ page, size }: Paging, firstSize = usualSize): Record<string, string> {
  return { ...(page > 1 ? { page: String(page) } : {}), ...(size === firstSize ? {} : { size: String(size) }) };
}

/** The address with another page of a list; what belongs to others stays. */
export function turned(search: URLSearchParams, paging: Paging, firstSize = usualSize, part?: string): URLSearchParams {
  const next = new URLSearchParams(search);
  const written = writePaging(paging, firstSize);
  for (const key of ['page', 'size']) {
    const value = written[key];
    if (value === undefined) next.delete(keyOf(key, part));
    else next.set(keyOf(key, part), value);
  }
  return next;
}

const keyOf = (key: string, part: string | undefined): string => (part === undefined ? key : `${part}.${key}`);

function whole(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}
