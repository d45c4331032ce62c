/** The engine's catalogue, asked for once for all that shows it. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { request } from '@/api/request';
import { useSentences } from '@/i18n/sentences';
import type { Catalogue } from './catalogue';
import { catalogueIn } from './in-language';

/** The catalogue in the language of the page. */
export function useCatalogue(): UseQueryResult<Catalogue> {
  const say = useSentences();
  const select = useCallback((catalogue: Catalogue) => catalogueIn(catalogue, say), [say]);
  return useQuery({ queryKey: ['catalogue'], queryFn: ({ signal }) => request<Catalogue>('GET', '/api/engine/catalogue', { signal, quiet: true }), staleTime: 60_000, select });
}
