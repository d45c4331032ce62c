// Beside the lists: tags that many things carry, and creators who got the most favourites.
import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { count } from '@/lib/format';
import { creatorOf, tagOf } from '@/lib/paths';
import { Avatar } from '@/ui/avatar';
import { Skeleton } from '@/ui/parts';
import { useTopCreators, useTrendingTags } from '../api';
import css from './discover.module.css';

const most = { tags: 12, creators: 6 };

export function Side() {
  return (
    <div className={css.side}>
      <TrendingTags />
      <TopCreators />
    </div>
  );
}

function TrendingTags() {
  const { t } = useTranslation();
  const { data, isError } = useTrendingTags(most.tags);
  if (isError || data?.length === 0) return null;
  return (
    <section>
      <h2>{t('community.trendingTags')}</h2>
      <ul className={css.tags}>
        {data
          ? data.map(({ tag, count: uses }) => (
              <li key={tag}>
                <Link to={tagOf(tag)}>
                  {tag} <span>{count(uses)}</span>
                </Link>
              </li>
            ))
          : Array.from({ length: most.tags }, (_, at) => <Skeleton key={at} height="26px" width={`${56 + ((at * 17) % 40)}px`} />)}
      </ul>
    </section>
  );
}

function TopCreators() {
  const { t } = useTranslation();
  const { data, isError } = useTopCreators(most.creators);
  if (isError || data?.items.length === 0) return null;
  return (
    <section>
      <h2>{t('community.topCreators')}</h2>
      <ol className={css.creators}>
        {data
          ? data.items.map((creator, at) => (
              <li key={creator.userName}>
                <Link to={creatorOf(creator.userName)}>
                  <span className={css.rank}>{at + 1}</span>
                  <Avatar name={creator.userName} picture={creator.headPhoto} />
                  <span className={css.creatorName}>
                    <b className="ellipsis">{creator.userName}</b>
                    <small>{t('community.dashboards', { count: creator.dashboards })}</small>
                  </span>
                  <span className={css.stars} title={t('community.figures.stars')}>
                    {count(creator.stars)}
                    <Star size={14} strokeWidth={1.6} aria-label={t('community.figures.stars')} />
                  </span>
                </Link>
              </li>
            ))
          : Array.from({ length: most.creators }, (_, at) => (
              <li key={at}>
                <Skeleton height="max(0.48rem, 44px)" width="100%" />
              </li>
            ))}
      </ol>
    </section>
  );
}
