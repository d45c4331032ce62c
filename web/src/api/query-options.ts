// The options that a parameter of the type `queryList` offers: the first column of another query's stored result.
import { useQuery } from '@tanstack/react-query';
import { fullText, type Cell } from '@/lib/columns';
import { getShownResult } from './queries';

const MOST = 1_000;

/** Each option once, without nulls; none as long as no query is named. */
export function useQueryOptions(queryId: string | null): { options: readonly string[]; loading: boolean } {
  const { data, isLoading } = useQuery({
    queryKey: ['options', queryId],
    queryFn: async ({ signal }) => optionsOf((await getShownResult(queryId ?? '', null, 0, MOST, signal)).rows),
    enabled: queryId !== null,
    staleTime: 60_000,
  });
  return { options: data ?? [], loading: isLoading };
}

export function optionsOf(rows: readonly (readonly Cell[])[]): string[] {
  const texts = rows.map(([first]) => (first === null || first === undefined ? '' : fullText(first)));
  return [...new Set(texts)].filter((option) => option !== '');
}
