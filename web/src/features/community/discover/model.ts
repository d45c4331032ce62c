// What the discover page shows, as its address says it: links, reloads and the back button keep it.
import { cardSize, readPaging, writePaging, type Paging } from '@/lib/paging';

export const tabs = ['dashboards', 'queries', 'creators', 'projects', 'addresses'] as const;
export type Tab = (typeof tabs)[number];

export const sorts = ['favorites', 'time'] as const;
export type Sort = (typeof sorts)[number];

export const ranges = ['24h', '7d', '30d', 'all'] as const;
export type Range = (typeof ranges)[number];

export interface View extends Paging {
  tab: Tab;
  search: string;
  sort: Sort;
  range: Range;
}

const longest = 200;

const among = <T extends string>(all: readonly T[], text: string | null, first: T): T => all.find((one) => one === text) ?? first;

/** Reads the address; what makes no sense there counts as not given. */
export function readView(address: URLSearchParams): View {
  return {
    tab: among(tabs, address.get('tab'), 'dashboards'),
    search: (address.get('search') ?? '').slice(0, longest),
    sort: among(sorts, address.get('sort'), 'favorites'),
    range: among(ranges, address.get('range'), 'all'),
    ...readPaging(address, cardSize),
  };
}

/** The address of a view; what is as at first is left out. */
export function writeView(view: View): URLSearchParams {
  return new URLSearchParams({
    ...(view.tab === 'dashboards' ? {} : { tab: view.tab }),
    ...(view.search === '' ? {} : { search: view.search }),
    ...(view.sort === 'favorites' ? {} : { sort: view.sort }),
    ...(view.range === 'all' ? {} : { range: view.range }),
    ...writePaging(view, cardSize),
  });
}

/** The next wider range that has not been tried, for a list that is empty. */
export function wider(range: Range): '30d' | 'all' | null {
  return range === 'all' ? null : range === '30d' ? 'all' : '30d';
}

/** The operators of the search, as examples that can be put into the field. */
export const operators = [
  { key: 'words', example: 'gas price' },
  { key: 'phrase', example: '"gas price"' },
  { key: 'tag', example: 'tag:dex' },
  { key: 'author', example: 'author:quarry' },
  { key: 'without', example: '-nft' },
] as const;

/** The search with one more operator at its end. */
export function withOperator(search: string, example: string): string {
  return search.trim() === '' ? example : `${search.trim()} ${example}`;
}
