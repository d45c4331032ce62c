// The head of a dashboard: what it is, whose it is, and what can be done with it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, GitFork, MessageSquare, Pencil, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { useTitles } from '@/i18n/titles';
import { useTimeTexts } from '@/i18n/time';
import { loginPath } from '@/lib/guard';
import { useNow } from '@/lib/now';
import { creatorOf, dashboardOf, editDashboard, embedPath, tagOf } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { formatTime } from '@/lib/time';
import { Avatar } from '@/ui/avatar';
import { Button, ButtonLink } from '@/ui/button';
import { FavoriteButton } from '@/ui/favorite-button';
import { Menu, type MenuItem } from '@/ui/menu';
import { ShareButton } from '@/ui/share';
import { Tag } from '@/ui/parts';
import { dashboardKey, forkDashboard, type DashboardView, type Target } from '../api';
import css from './page.module.css';

const icon = { size: 16, strokeWidth: 1.6 } as const;

interface HeadProps {
  view: DashboardView;
  target: Target;
  commentsShown: boolean;
  more: MenuItem[];
  onComments: () => void;
}

export function Head({ view, target, commentsShown, more, onComments }: HeadProps) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const navigate = useNavigate();
  const location = useLocation();
  const client = useQueryClient();
  const signedIn = useSession().token !== null;
  const fork = useMutation({ mutationFn: () => forkDashboard(view.id, target.share), onSuccess: ({ id }) => navigate(editDashboard(id)) });
  return (
    <header className={css.head}>
      <div className={css.name}>
        <h1>{titleOf(view)}</h1>
        <About view={view} />
      </div>
      <div className={css.actions} data-export="no">
        <FavoriteButton framed title={titleOf(view)} marked={{ kind: 'dashboard', id: view.id, favorited: view.favorited, favorites: view.favorites, share: target.share }} />
        <Button icon={<GitFork {...icon} />} busy={fork.isPending} onClick={() => (signedIn ? fork.mutate() : void navigate(loginPath(location)))}>
          <span data-words>{t('dashboards.fork')}</span>
        </Button>
        <ShareButton
          of={{ id: view.id, title: titleOf(view), visibility: view.visibility, editable: view.editable, share: target.share }}
          path={(share) => dashboardOf(view.id, share)}
          embed={(share) => embedPath(view.id, share)}
          onChange={(visibility) => client.setQueryData<DashboardView>(dashboardKey(target), (now) => now && { ...now, visibility })}
        />
        <Button icon={<MessageSquare {...icon} />} aria-expanded={commentsShown} aria-label={t('dashboards.comments.open', { count: view.comments })} onClick={onComments}>
          {view.comments}
        </Button>
        <Menu label={t('dashboards.more')} className={css.more} items={more}>
          <Ellipsis {...icon} aria-hidden />
        </Menu>
        {view.editable ? (
          <ButtonLink kind="primary" to={editDashboard(view.id)} icon={<Pencil {...icon} />}>
            <span data-words>{t('dashboards.edit.open')}</span>
          </ButtonLink>
        ) : null}
      </div>
    </header>
  );
}

function About({ view }: { view: DashboardView }) {
  const { t } = useTranslation();
  const { ago } = useTimeTexts();
  const now = useNow(30_000);
  const { userName, headPhoto, updateTime, forkedFrom, tags } = view;
  return (
    <div className={css.about}>
      <Avatar name={userName} picture={headPhoto} />
      <Link to={creatorOf(userName)}>{userName}</Link>
      {forkedFrom ? <span>{forkedFrom.title && forkedFrom.id ? <Link to={dashboardOf(forkedFrom.id)}>{t('dashboards.forkedFrom', { name: forkedFrom.userName ?? '' })}</Link> : t('dashboards.forked')}</span> : null}
      <time title={t('shell.blockTime', { time: formatTime(updateTime) })}>{t('dashboards.updated', { when: ago(updateTime, now) ?? t('shell.blockTime', { time: formatTime(updateTime) }) })}</time>
      {view.official ? <Tag tone="accent">{t('dashboards.official')}</Tag> : null}
      {view.visibility === 'public' ? null : <Tag tone="warn">{t(`dashboards.visibility.${view.visibility}`)}</Tag>}
      {tags.map((tag) => (
        <Link key={tag} to={tagOf(tag)} className={css.tag}>
          <Tag>{tag}</Tag>
        </Link>
      ))}
    </div>
  );
}

interface FreshnessProps {
  view: DashboardView;
  minutes: number;
  refreshing: boolean;
  onRefresh: () => void;
}

/** How old the data are, and how they become younger. */
export function Freshness({ view, minutes, refreshing, onRefresh }: FreshnessProps) {
  const { t } = useTranslation();
  const times = view.shows.flatMap(({ shown }) => shown?.finishTime ?? []);
  const last = times.length === 0 ? null : Math.max(...times);
  const { ago } = useTimeTexts();
  const now = useNow(30_000);
  return (
    <p className={css.fresh} data-export="no">
      {last === null ? t('dashboards.neverRun') : <span title={t('shell.blockTime', { time: formatTime(last) })}>{t('dashboards.lastRun', { when: ago(last, now) ?? t('shell.blockTime', { time: formatTime(last) }) })}</span>}
      {minutes > 0 ? <span>{t('dashboards.everyMinutes', { count: minutes })}</span> : null}
      <Button size="small" kind="text" busy={refreshing} icon={<RefreshCw size={15} strokeWidth={1.6} />} onClick={onRefresh}>
        {t('dashboards.refresh')}
      </Button>
    </p>
  );
}
