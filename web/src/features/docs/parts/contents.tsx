// What is on this page: a list that follows the reader, the date of the last change, and whether the page was clear.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Block, DocText } from '../text';
import { Clear } from './clear';
import css from '../docs.module.css';

type Heading = Extract<Block, { kind: 'heading' }>;

const topGap = 96;

export function Contents({ text }: { text: DocText }) {
  const { t } = useTranslation();
  const headings = text.blocks.filter((block): block is Heading => block.kind === 'heading' && block.level === 2);
  const current = useCurrent(headings);
  return (
    <aside className={css.contents} aria-label={t('docs.contents')}>
      {headings.length > 1 ? (
        <nav aria-labelledby="docs-contents">
          <p id="docs-contents" className={css.contentsTitle}>
            {t('docs.contents')}
          </p>
          <ol>
            {headings.map(({ id, text: name }) => (
              <li key={id}>
                <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
                  {plain(name)}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      ) : null}
      <div className={css.pageFacts}>
        <p>{t('docs.updated', { date: text.date })}</p>
        <Clear />
      </div>
    </aside>
  );
}

/** A heading without its marks of code. */
export const plain = (markdown: string): string => markdown.replaceAll('`', '');

/** The heading whose part of the page is at the top. */
function useCurrent(headings: readonly Heading[]): string | undefined {
  const ids = headings.map(({ id }) => id).join(' ');
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const names = ids.split(' ');
    const follow = () => {
      const passed = names.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= topGap);
      const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      setCurrent(atEnd && scrollY > 0 ? names.at(-1) : (passed.at(-1) ?? names[0]));
    };
    follow();
    addEventListener('scroll', follow, { passive: true });
    return () => removeEventListener('scroll', follow);
  }, [ids]);
  return current;
}
