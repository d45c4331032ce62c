// Text that people wrote: Markdown, loaded with the first of it, in the look of running text.
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from './parts';
import css from './prose.module.css';

/** The class of running text, for what is made of elements. */
export const proseClass = css.prose ?? '';

/** A Markdown text, sanitized. */
export function Markdown({ text }: { text: string }) {
  const { data } = useQuery({ queryKey: ['markdown', text], queryFn: async () => (await import('./markdown')).markdownHtml(text), staleTime: Infinity });
  if (data === undefined) return <Skeleton height="3em" width="80%" />;
  return <div className={css.prose} dangerouslySetInnerHTML={{ __html: data }} />;
}
