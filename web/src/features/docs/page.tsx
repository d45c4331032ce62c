// A page of the manuals: its text, what is on it, and the pages before and after.
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation } from 'react-router';
import { messageOf } from '@/api/error';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { Failed, Skeleton } from '@/ui/parts';
import { placeOf, type DocPage, type Place } from './nav';
import { Blocks } from './parts/blocks';
import { Contents } from './parts/contents';
import { useText } from './source';
import css from './docs.module.css';

export function Component() {
  const place = placeOf(useLocation().pathname);
  return place ? <Reading place={place} /> : <Navigate to={paths.notFound} replace />;
}

function Reading({ place }: { place: Place }) {
  const { t } = useTranslation();
  usePage(t(`docs.page.${place.page.name}`));
  const text = useText(place.page.id);
  useAnchor(text.data !== undefined);
  return (
    <div className={css.reading}>
      <article className={css.text} data-page={place.page.id}>
        <p className={css.group}>{t(`docs.group.${place.group.name}`)}</p>
        <h1 tabIndex={-1}>{text.data?.title ?? t(`docs.page.${place.page.name}`)}</h1>
        {text.isError ? (
          <Failed message={messageOf(text.error)} onRetry={() => void text.refetch()} />
        ) : text.data === undefined ? (
          <Waiting />
        ) : (
          <>
            <p className={css.lead}>{text.data.lead}</p>
            <Blocks blocks={text.data.blocks} />
          </>
        )}
        <nav className={css.around} aria-label={t('docs.around')}>
          {place.before ? <Neighbour page={place.before} side="before" /> : null}
          {place.after ? <Neighbour page={place.after} side="after" /> : null}
        </nav>
      </article>
      {text.data ? <Contents text={text.data} /> : null}
    </div>
  );
}

function Neighbour({ page, side }: { page: DocPage; side: 'before' | 'after' }) {
  const { t } = useTranslation();
  const icon = { size: 16, strokeWidth: 1.6, 'aria-hidden': true };
  return (
    <Link to={`/${page.id}`} data-side={side}>
      <span>{t(`docs.${side}`)}</span>
      <strong>
        {side === 'before' ? <ArrowLeft {...icon} /> : null}
        {t(`docs.page.${page.name}`)}
        {side === 'after' ? <ArrowRight {...icon} /> : null}
      </strong>
    </Link>
  );
}

function Waiting() {
  return (
    <div className={css.waiting}>
      {['90%', '100%', '80%', '100%', '60%'].map((width, index) => (
        <Skeleton key={index} height="max(0.2rem, 18px)" width={width} />
      ))}
    </div>
  );
}

/** Brings the part that the address names to the top once the text is there. */
function useAnchor(ready: boolean): void {
  const { hash, pathname } = useLocation();
  useEffect(() => {
    if (!ready || hash === '') return;
    document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [ready, hash, pathname]);
}
