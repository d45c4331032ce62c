// What tabs, filters and the like choose inside of a page: it stands in the address, and the reader stays where they are.
import { useCallback } from 'react';
import { useSearchParams, type SetURLSearchParams } from 'react-router';

/** As `useSearchParams`, for changes that are no way to another place: the page is not scrolled to its top. */
export function useInPage(): [URLSearchParams, SetURLSearchParams] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback<SetURLSearchParams>((next, options) => setSearch(next, { ...options, preventScrollReset: true }), [setSearch]);
  return [search, set];
}
