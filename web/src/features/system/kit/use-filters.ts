// The filters of the list on show, read from and written to the address.
import { useMemo } from 'react';
import type { Paging } from '@/lib/paging';
import { useInPage } from '@/ui/in-page';
import { queryOf, readFilters, writeFilters, type Filters, type FilterSpec, type ListQuery } from './filters';

export interface FiltersNow extends Filters {
  query: ListQuery;
  /** Sets filters and goes to the first page; an empty text takes a filter away. */
  change: (values: Readonly<Record<string, string>>) => void;
  turn: (paging: Paging) => void;
  reset: () => void;
}

export function useFilters(specs: readonly FilterSpec[]): FiltersNow {
  const [search, setSearch] = useInPage();
  const filters = useMemo(() => readFilters(search, specs), [search, specs]);
  const write = (next: Filters) => setSearch((now) => writeFilters(now, specs, next));
  return {
    ...filters,
    query: queryOf(filters, specs),
    change: (values) => write({ ...filters, page: 1, values: { ...filters.values, ...values } }),
    turn: (paging) => write({ ...filters, ...paging }),
    reset: () => write({ ...filters, page: 1, values: {} }),
  };
}
