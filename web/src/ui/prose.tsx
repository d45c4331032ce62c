// Text that people wrote: Markdown, loaded with the first of it, in the look of running text.
import { useQuery } from '@tanstack/react-query';
import { inTime } from '@/lib/loading';
import { Skeleton } from './parts';
import css from './prose.module.css';

/** The class of running text, for what is made of elements. */
export const proseClass = css.prose ?? '';

/** A Markdown text, sanitized. A short one, as people say in passing, has no headlines, and stands as it was typed until it is drawn; so does any that can't be drawn. */
export function Markdown({ text, short = false }: { text: string; short?: boolean }) {
  const { data, isError } = useQuery({ queryKey: ['markdown', text], queryFn: async () => (await inTime(() => import('./markdown'))).markdownHtml(text), staleTime: Infinity });
  if (data === undefined) return short || isError ? <p className={css.typed}>{text}</p> : <Skeleton height="3em" width="80%" />;
  return <div className={css.prose} data-short={short} dangerouslySetInnerHTML={{ __html: data }} />;
}
