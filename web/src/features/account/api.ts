// The person's own profile, keys and credits.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { fetchProfile, updateProfile, type Profile } from '@/api/account';
import { call } from '@/api/call';
import type { Paging } from '@/lib/paging';
import { useSession } from '@/lib/session';

export const profileKey = ['profile'];
export const apiKeysKey = ['api keys'];
export const secondFactorKey = ['second factor'];
export const sessionsKey = ['own sessions'];

/** By which two tags are one. */
const keyOf = (tag: string): string => tag.toLowerCase();
/** Tags of the first list that are not in the second. */
const without = (tags: readonly string[], others: readonly string[]): string[] => tags.filter((tag) => !others.some((other) => keyOf(other) === keyOf(tag)));

/** The tags by which others find a person. */
const publicTags = async (userName: string, signal?: AbortSignal): Promise<string[]> => (await call('get', '/api/creator/detail', { query: { userName }, quiet: true, ...(signal ? { signal } : {}) })).tags;

/** The profile with all tags of the person: those given here, and those given on the page of tags. */
export function useProfile() {
  const name = useSession().account?.name;
  return useQuery({
    queryKey: [...profileKey, name],
    queryFn: async ({ signal }): Promise<Profile> => {
      const [profile, shown] = await Promise.all([fetchProfile(name ?? '', signal), publicTags(name ?? '', signal)]);
      const own = profile.tags ?? [];
      return { ...profile, tags: [...own, ...without(shown, own)] };
    },
    enabled: name !== undefined,
  });
}

export interface Info {
  career: string;
  address: string;
  tags: readonly string[];
}

/** Saves what the person says about themselves, and shows exactly these tags to others. */
export async function saveInfo(userName: string, { career, address, tags }: Info): Promise<void> {
  await updateProfile(career.trim(), address.trim(), tags);
  const shown = await publicTags(userName);
  const body = (tag: string) => ({ body: { entity: 'user' as const, id: userName, tag }, quiet: true });
  await Promise.all(without(shown, tags).map((tag) => call('post', '/api/tag/remove', body(tag))));
  // In the order of the form.
  for (const tag of without(tags, shown)) await call('post', '/api/tag/add', body(tag));
}

export const useApiKeys = () => useQuery({ queryKey: apiKeysKey, queryFn: ({ signal }) => call('get', '/api/user/api-key/list', { signal, quiet: true }) });

export function useCredits(paging: Paging) {
  return useQuery({ queryKey: ['credits', paging], queryFn: ({ signal }) => call('get', '/api/user/credit/list', { query: { ...paging }, signal, quiet: true }), placeholderData: keepPreviousData });
}
