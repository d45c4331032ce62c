// Pages of lists in the address: `page` counts from 1, `size` is one of the sizes that people may choose.

export const pageSizes: readonly number[] = [10, 20, 30, 50];
export const usualSize = 20;
/** Of the lists with previews. */
export const cardSize = 10;

export interface Paging {
  page: number;
  size: number;
}

/** Reads the address; what makes no sense there counts as not given. */
export function readPaging(search: URLSearchParams, firstSize = usualSize): Paging {
  const size = whole(search.get('size'));
  return { page: whole(search.get('page')) ?? 1, size: size !== null && pageSizes.includes(size) ? size : firstSize };
}

/** The address of a page; what is as at first is left out. */
export function writePaging({ page, size }: Paging, firstSize = usualSize): Record<string, string> {
  return { ...(page > 1 ? { page: String(page) } : {}), ...(size === firstSize ? {} : { size: String(size) }) };
}

function whole(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}
