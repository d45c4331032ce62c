// The person's own profile, keys and credits.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { fetchProfile } from '@/api/account';
import { call } from '@/api/call';
import type { Paging } from '@/lib/paging';
import { useSession } from '@/lib/session';

export const profileKey = ['profile'];
export const apiKeysKey = ['api keys'];

export function useProfile() {
  const name = useSession().account?.name;
  return useQuery({ queryKey: [...profileKey, name], queryFn: ({ signal }) => fetchProfile(name ?? '', signal), enabled: name !== undefined });
}

export const useApiKeys = () => useQuery({ queryKey: apiKeysKey, queryFn: ({ signal }) => call('get', '/api/user/api-key/list', { signal, quiet: true }) });

export function useCredits(paging: Paging) {
  return useQuery({ queryKey: ['credits', paging], queryFn: ({ signal }) => call('get', '/api/user/credit/list', { query: { ...paging }, signal, quiet: true }), placeholderData: keepPreviousData });
}
