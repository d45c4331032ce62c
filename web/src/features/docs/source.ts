// Where the texts come from: one file a page and language, loaded when the page is opened.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useLanguage, type Language } from '@/i18n';
import type { DocText } from './text';

const files = import.meta.glob<DocText>('../../../../data/docs/{en,zh}/**/*.md', { query: '?text', import: 'default' });

export async function loadText(language: Language, id: string): Promise<DocText> {
  const load = files[`../../../../data/docs/${language}/${id}.md`];
  if (!load) throw new Error(`There is no text ${language}/${id}.`);
  return load();
}

export function useText(id: string): UseQueryResult<DocText> {
  const language = useLanguage();
  return useQuery({ queryKey: ['docs', language, id], queryFn: () => loadText(language, id), staleTime: Infinity, retry: false });
}
