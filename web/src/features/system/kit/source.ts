// Where the rows of a list come from: a call of the API that answers pages.
import { request } from '@/api/request';
import type { paths } from '@/api/schema';
import type { ListQuery } from './filters';

export interface Page<Row> {
  items: Row[];
  total: number;
}

export interface Source<Row> {
  /** Names the list in the cache. */
  key: string;
  fetch: (query: ListQuery, signal?: AbortSignal) => Promise<Page<Row>>;
  /** The call that answers the whole list as a CSV file, where there is one. */
  file?: string;
}

/** What the rows of a source are. */
export type RowOf<S> = S extends Source<infer Row> ? Row : never;

type Answer<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': { data: infer D } } } } } } ? D : never;
type ListPath = { [P in keyof paths]: Answer<P> extends { items: unknown[]; total: number } ? P : never }[keyof paths];
type ItemOf<P extends ListPath> = Answer<P> extends { items: (infer Row)[] } ? Row : never;

/** The list that a call answers; its rows have the type that the API's document says. */
export function listOf<P extends ListPath>(path: P, file?: keyof paths): Source<ItemOf<P>> {
  return {
    key: path,
    fetch: (query, signal) => request('GET', path, { query: { ...query }, quiet: true, ...(signal ? { signal } : {}) }),
    ...(file ? { file } : {}),
  };
}

/** Rows that a file takes at most, as on the server. */
export const mostRows = 10_000;
const pageRows = 100;

/** Every row that the filters let through, page by page, and how many there are. */
export async function allRows<Row>(source: Source<Row>, query: ListQuery): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = [];
  let all = 0;
  for (let page = 1; rows.length < mostRows; page += 1) {
    const { items, total } = await source.fetch({ ...query, page, size: pageRows });
    rows.push(...items);
    all = total;
    if (items.length === 0 || rows.length >= total) break;
  }
  return { rows: rows.slice(0, mostRows), total: all };
}
