// A page of the manuals: its text, what is on it, and the pages before and after.
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { messageOf } from '@/api/error';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { lazyPart, Part } from '@/ui/part';
import { Failed, Skeleton } from '@/ui/parts';
import { placeOf, type Place } from './nav';
import { Around } from './parts/around';
import { Blocks } from './parts/blocks';
import { Contents } from './parts/contents';
import { useText } from './source';
import { useAnchor } from './use-anchor';
import css from './docs.module.css';

const Endpoints = lazyPart(() => import('./parts/endpoints').then((module) => ({ default: module.Endpoints })));

export function Component() {
  const place = placeOf(useLocation().pathname);
  if (!place) return <Navigate to={paths.notFound} replace />;
  const { category } = place.page;
  return category ? (
    <Part
      of={[category]}
      waiting={
        <div className={css.reading}>
          <Waiting />
        </div>
      }
    >
      <Endpoints key={category} category={category} place={place} />
    </Part>
  ) : (
    <Reading place={place} />
  );
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
        {/* Below a text that is still on its way it would be pushed down. */}
        {text.isPending ? null : <Around place={place} />}
      </article>
      {text.data ? <Contents text={text.data} /> : null}
    </div>
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
