// A creator in a list.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/call';
import { count } from '@/lib/format';
import { creatorOf } from '@/lib/paths';
import { dayOf } from '@/lib/time';
import { Avatar } from '@/ui/avatar';
import { TagLink } from '@/ui/creation-row';
import { FavoriteButton } from '@/ui/favorite-button';
import css from './rows.module.css';

export function CreatorRow({ creator }: { creator: Schemas['CreatorCard'] }) {
  const { t } = useTranslation();
  const { userName, headPhoto, tags, stars, dashboards, queries, createTime, favorited } = creator;
  return (
    <li className={css.row}>
      <div className={css.who}>
        <Avatar name={userName} picture={headPhoto} />
        <div>
          <h3 className={css.name}>
            <Link to={creatorOf(userName)}>{userName}</Link>
          </h3>
          <p className={css.tags}>
            {tags.map((tag) => (
              <TagLink key={tag} tag={tag} />
            ))}
            <span>{t('community.since', { date: dayOf(createTime) })}</span>
          </p>
        </div>
      </div>
      <dl className={css.figures}>
        <Figure name={t('community.figures.stars')} value={stars} />
        <Figure name={t('community.figures.dashboards')} value={dashboards} />
        <Figure name={t('community.figures.queries')} value={queries} />
      </dl>
      <div className={css.star}>
        <FavoriteButton bare title={userName} marked={{ kind: 'user', id: userName, favorited, favorites: 0 }} />
      </div>
    </li>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dd>{count(value)}</dd>
      <dt>{name}</dt>
    </div>
  );
}
