// One creation in a list: preview, title, tags, who made it, favourites, age, and what can be done with it.
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { pageOf, type Card } from '@/api/creations';
import { useTitles } from '@/i18n/titles';
import { useTimeTexts } from '@/i18n/time';
import { useNow } from '@/lib/now';
import { creatorOf, tagOf } from '@/lib/paths';
import { dayOf, formatTime } from '@/lib/time';
import { Avatar } from './avatar';
import { FavoriteButton } from './favorite-button';
import { Menu, type MenuItem } from './menu';
import { Skeleton, Tag } from './parts';
import css from './creation-row.module.css';

interface CreationRowProps {
  card: Card;
  /** A live picture of it, in the shape of 20 to 9. */
  preview?: ReactNode;
  menu?: MenuItem[];
  /** Whose it is goes without saying: the list is of one person. */
  own?: boolean;
  onFavorite?: (favorited: boolean) => void;
}

/** Lists of rows stand in `<ul className={rows}>`. */
export const rows = css.rows;

/** Names of the columns above the rows; the rows say by themselves what they show, so it is for the eyes only. */
export function RowsHead({ name, own = false }: { name: string; own?: boolean }) {
  const { t } = useTranslation();
  return (
    <li className={css.head} data-own={own} aria-hidden>
      <span>{name}</span>
      {!own && <span>{t('common.card.creator')}</span>}
      <span>{t('common.card.favorites')}</span>
      <span>{t('common.card.updated')}</span>
    </li>
  );
}

export function CreationRow({ card, preview, menu = [], own = false, onFavorite }: CreationRowProps) {
  const { t } = useTranslation();
  const title = useTitles()(card);
  const page = pageOf(card);
  return (
    <li className={css.row} data-own={own}>
      <div className={css.preview}>{preview}</div>
      <div className={css.main}>
        <h3 className={css.title}>{page === null ? title : <Link to={page}>{title}</Link>}</h3>
        <p className={css.about}>
          <Kind card={card} />
          {card.official && <Tag tone="accent">{t('common.card.official')}</Tag>}
          {card.visibility !== 'public' && <Tag tone="warn">{t(`common.card.${card.visibility}`)}</Tag>}
          {card.tags.map((tag) => (
            <TagLink key={tag} tag={tag} />
          ))}
          <Size card={card} />
        </p>
      </div>
      {!own && (
        <Link to={creatorOf(card.userName)} className={css.creator}>
          <Avatar name={card.userName} picture={card.headPhoto} />
          <span className="ellipsis">{card.userName}</span>
        </Link>
      )}
      <div className={css.star}>{isMarkable(card) && <FavoriteButton title={title} marked={{ kind: card.kind, id: card.id, favorited: card.favorited, favorites: card.favorites }} {...(onFavorite ? { onChange: onFavorite } : {})} />}</div>
      <Age ms={card.updateTime} />
      <div className={css.menu}>
        {menu.length > 0 && (
          <Menu label={t('common.card.more', { title })} className={css.more} items={menu}>
            <Ellipsis size={17} strokeWidth={1.8} aria-hidden />
          </Menu>
        )}
      </div>
    </li>
  );
}

type Markable = Card & { kind: 'dashboard' | 'query' | 'project' };
const isMarkable = (card: Card): card is Markable => card.kind === 'dashboard' || card.kind === 'query' || card.kind === 'project';

/** A tag that leads to everything that carries it. */
export function TagLink({ tag }: { tag: string }) {
  return (
    <Link to={tagOf(tag)} className={css.tag}>
      {tag}
    </Link>
  );
}

/** How long ago, with the time itself for who asks. */
export function Age({ ms }: { ms: number }) {
  const { t } = useTranslation();
  const { ago } = useTimeTexts();
  const now = useNow();
  return (
    <time className={css.age} dateTime={new Date(ms).toISOString()} title={t('shell.blockTime', { time: formatTime(ms) })}>
      {ago(ms, now) ?? dayOf(ms)}
    </time>
  );
}

function Kind({ card }: { card: Card }) {
  const { t } = useTranslation();
  if (card.kind === 'query') return <Tag>{card.queryKind}</Tag>;
  if (card.kind === 'dashboard' || card.kind === 'project') return null;
  return <Tag>{t(`common.card.kinds.${card.kind}`)}</Tag>;
}

function Size({ card }: { card: Card }) {
  const { t } = useTranslation();
  const { ago } = useTimeTexts();
  const now = useNow();
  if (card.kind === 'dashboard') return <span>{t('common.card.widgets', { count: card.items ?? 0 })}</span>;
  if (card.kind === 'project') return <span>{t('common.card.items', { count: card.items ?? 0 })}</span>;
  if (card.kind !== 'query') return null;
  const ran = card.lastRunTime;
  return <span>{ran ? t('common.card.ran', { time: ago(ran, now) ?? dayOf(ran) }) : t('common.card.neverRan')}</span>;
}

/** Rows that are on their way, with their final height. */
export function WaitingRows({ count }: { count: number }) {
  return Array.from({ length: count }, (_, at) => (
    <li key={at} className={css.row} aria-hidden>
      <div className={css.preview}>
        <Skeleton height="100%" width="100%" />
      </div>
      <div className={css.main}>
        <Skeleton height="0.9em" width={`${60 - ((at * 13) % 35)}%`} />
        <Skeleton height="0.9em" width="26%" />
      </div>
    </li>
  ));
}
