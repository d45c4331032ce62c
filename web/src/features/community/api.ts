// The community's lists as pages ask for them. Their keys begin with `cardsKey`, so that a favourite is marked in all.
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call } from '@/api/call';
import type { Card, CreationKind } from '@/api/creations';
import { cardsKey } from '@/api/favorites';
import type { Paging } from '@/lib/paging';
import type { Tab, View } from './discover/model';

/** One page of a tab. The kinds of rows differ, so each tab has a hook of its own. */
function useTab<T>(tab: Tab, view: View, load: (query: Omit<View, 'tab'>, signal: AbortSignal) => Promise<T>): UseQueryResult<T> {
  const { search, sort, range, page, size } = view;
  const query = { search, sort, range, page, size };
  return useQuery({
    queryKey: [cardsKey, 'discover', tab, query],
    queryFn: ({ signal }) => load(query, signal),
    placeholderData: keepPreviousData,
  });
}

export const useDashboards = (view: View) => useTab('dashboards', view, (query, signal) => call('get', '/api/discover/dashboards', { query, signal, quiet: true }));
export const useQueries = (view: View) => useTab('queries', view, (query, signal) => call('get', '/api/discover/queries', { query, signal, quiet: true }));
export const useProjects = (view: View) => useTab('projects', view, (query, signal) => call('get', '/api/discover/projects', { query, signal, quiet: true }));
export const useCreators = (view: View) => useTab('creators', view, (query, signal) => call('get', '/api/discover/creators', { query, signal, quiet: true }));
export const useAddresses = (view: View) => useTab('addresses', view, (query, signal) => call('get', '/api/discover/addresses', { query, signal, quiet: true }));

/** How much each tab shows for a search and a range. */
export function useCounts({ search, range }: View) {
  return useQuery({
    queryKey: ['discover', 'counts', search, range],
    queryFn: ({ signal }) => call('get', '/api/discover/counts', { query: { search, range }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
}

/** The tags of most public things. */
export function useTrendingTags(size: number) {
  return useQuery({
    queryKey: ['tags', 'trending', size],
    queryFn: ({ signal }) => call('get', '/api/tag/trending', { query: { size }, signal, quiet: true }),
    staleTime: 60_000,
  });
}

/** Who got the most favourites. */
export function useTopCreators(size: number) {
  return useQuery({
    queryKey: [cardsKey, 'creators', 'top', size],
    queryFn: ({ signal }) => call('get', '/api/discover/creators', { query: { sort: 'favorites', range: 'all', page: 1, size }, signal, quiet: true }),
    staleTime: 60_000,
  });
}

/** The caller's favourites among what people make. */
export function useFavorites(kind: 'dashboard' | 'query' | 'project', paging: Paging) {
  return useQuery({
    queryKey: [cardsKey, 'favorites', kind, paging],
    queryFn: ({ signal }) => call('get', '/api/favorite/list', { query: { kind, ...paging }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
}

/** The caller's favourite people or addresses, by name. */
export function useFavoriteNames(kind: 'user' | 'address', paging: Paging) {
  return useQuery({
    queryKey: [cardsKey, 'favorites', kind, paging],
    queryFn: ({ signal }) => call('get', '/api/favorite/names', { query: { kind, ...paging }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
}

export interface MineFilter extends Paging {
  kind?: CreationKind | undefined;
  search?: string | undefined;
}

/** What the caller made. */
export function useMine(filter: MineFilter) {
  return useQuery({
    queryKey: [cardsKey, 'mine', filter],
    queryFn: ({ signal }) => call('get', '/api/creation/mine', { query: { ...filter }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
}

/** The most that one call brings. */
const wholePage = 100;

/** Those of the caller's creations that have these ids, for lists that know only ids. There is no call for ids: all pages are read until each is found. */
async function mineOf(ids: readonly string[], signal: AbortSignal): Promise<Card[]> {
  const missing = new Set(ids);
  const found: Card[] = [];
  for (let page = 1; missing.size > 0; page += 1) {
    const { items, total } = await call('get', '/api/creation/mine', { query: { page, size: wholePage }, signal, quiet: true });
    found.push(...items.filter(({ id }) => missing.delete(id)));
    if (items.length === 0 || page * wholePage >= total) break;
  }
  return found;
}

export function useMineOf(ids: readonly string[]) {
  return useQuery({
    queryKey: [cardsKey, 'mine', 'of', ids],
    queryFn: ({ signal }) => mineOf(ids, signal),
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  });
}

/** What a person published. */
export function useMadeBy(userName: string, kind: CreationKind, paging: Paging) {
  return useQuery({
    queryKey: [cardsKey, 'of', userName, kind, paging],
    queryFn: ({ signal }) => call('get', '/api/creation/ofUser', { query: { userName, kind, ...paging }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
}

export function useCreator(userName: string) {
  return useQuery({
    queryKey: [cardsKey, 'creator', userName],
    queryFn: ({ signal }) => call('get', '/api/creator/detail', { query: { userName }, signal, quiet: true }),
  });
}

export function useAddress(address: string) {
  return useQuery({
    queryKey: [cardsKey, 'address', address],
    queryFn: ({ signal }) => call('get', '/api/address/detail', { query: { address }, signal, quiet: true }),
  });
}
