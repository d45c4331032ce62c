// The chain in the lake: its head, its newest blocks, how much of it there is.
import { useQuery } from '@tanstack/react-query';
import { call, type Schemas } from './call';

export type CallKind = keyof Schemas['GasByKind'];
export const callKinds: readonly CallKind[] = ['swap', 'token', 'transfer', 'nft', 'creation', 'other'];

export type RecentBlock = Schemas['RecentBlock'];
export type ChainHead = Schemas['ChainHead'];

/** A chain that is pulled from a node grows every 12 s; the sample chain never does. */
const refreshMs = 12_000;

export function useChain() {
  return useQuery({
    queryKey: ['chain'],
    queryFn: ({ signal }) => call('get', '/api/chain/status', { signal, quiet: true, anonymous: true }),
    staleTime: refreshMs,
    refetchInterval: (query) => (query.state.data?.origin === 'sample' ? false : refreshMs),
  });
}
