// Sentences that are not written for the web alone: the engine says them in English, the lists of words of the query languages too.
// Their Chinese stands beside them and loads where it is shown.
import { useQuery } from '@tanstack/react-query';
import { useLanguage, type Language } from '.';

/** A sentence or word in the language of the page, by its English; the English where there is nothing else. */
export type Say = (english: string) => string;

type Sentences = Readonly<Record<string, string>>;

export const inEnglish: Say = (english) => english;

/** Of the engine, which the manuals and the server read too; and of the web's own lists. */
const chinese = import.meta.glob<Sentences>(['../../../data/docs/zh/sentences.json', './zh/words.json'], { import: 'default' });

export async function loadSentences(language: Language): Promise<Say> {
  if (language === 'en') return inEnglish;
  const files = await Promise.all(Object.values(chinese).map((file) => file()));
  const sentences = new Map(files.flatMap((file) => Object.entries(file)));
  return (english) => sentences.get(english) ?? english;
}

/** English until the sentences of another language are there. */
export function useSentences(): Say {
  const language = useLanguage();
  const { data } = useQuery({ queryKey: ['sentences', language], queryFn: () => loadSentences(language), staleTime: Infinity, enabled: language !== 'en' });
  return data ?? inEnglish;
}
