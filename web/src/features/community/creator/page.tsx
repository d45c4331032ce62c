// A creator: who it is, and what they published.
import { MessageCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Card } from '@/api/creations';
import { ApiError, messageOf } from '@/api/error';
import { openChat } from '@/live/chats';
import { count } from '@/lib/format';
import { loginPath } from '@/lib/guard';
import { cardSize, readPaging, writePaging } from '@/lib/paging';
import { usePage } from '@/lib/page';
import { creatorOf, paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { dayOf } from '@/lib/time';
import { Avatar } from '@/ui/avatar';
import { Button, ButtonLink } from '@/ui/button';
import { RowsHead, TagLink } from '@/ui/creation-row';
import { FavoriteButton } from '@/ui/favorite-button';
import { useInPage } from '@/ui/in-page';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { Tabs } from '@/ui/tabs';
import { useCreator, useMadeBy } from '../api';
import { CreationItem } from '../parts/creation-item';
import { LoadedList } from '../parts/loaded-list';
import page from '../parts/page.module.css';
import { useCardMenu } from '../parts/use-card-menu';
import css from './creator.module.css';

const tabs = { dashboards: 'dashboard', queries: 'query', projects: 'project' } as const;
type Tab = keyof typeof tabs;
const names = Object.keys(tabs) as Tab[];

export function Component() {
  const [address] = useSearchParams();
  const { token, account } = useSession();
  const name = address.get('userName') ?? account?.name ?? '';
  if (name !== '') return <Creator key={name} name={name} />;
  // Without a name it is the page of whoever is logged in, as soon as that is known.
  return token === null ? <Navigate to={paths.notFound} replace /> : null;
}

function Creator({ name }: { name: string }) {
  const { t } = useTranslation();
  usePage(name);
  const { data, error, refetch } = useCreator(name);
  const own = useSession().account?.name === name;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty
        title={<h1>{t('community.noSuchUser')}</h1>}
        actions={
          <ButtonLink kind="primary" to={`${paths.discover}?tab=creators`}>
            {t('community.tabs.creators')}
          </ButtonLink>
        }
      />
    );
  }
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  return (
    <div className={page.page}>
      <header className={css.head}>
        <Avatar name={name} picture={data?.headPhoto ?? null} size="large" />
        <div className={css.name}>
          <h1>{name}</h1>
          <p className={css.tags}>
            {data?.tags.map((tag) => (
              <TagLink key={tag} tag={tag} />
            ))}
          </p>
        </div>
        <dl className={css.figures}>
          <Figure name={t('community.figures.stars')} value={data && count(data.starCount)} />
          <Figure name={t('community.figures.dashboards')} value={data && count(data.dashboardCount)} />
          <Figure name={t('community.figures.queries')} value={data && count(data.queryCount)} />
          <Figure name={t('community.figures.since')} value={data && dayOf(data.creatorSince)} />
        </dl>
        {data && (own ? <ButtonLink to={paths.creations}>{t('shell.nav.creations')}</ButtonLink> : <Meet name={name} favorited={data.favorited} />)}
      </header>
      <Made name={name} />
    </div>
  );
}

/** Writing to them, and remembering them. */
function Meet({ name, favorited }: { name: string; favorited: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const location = useLocation();
  const visitor = useSession().token === null;
  return (
    <div className={page.actions}>
      <Button icon={<MessageCircle size={16} strokeWidth={1.6} />} onClick={() => (visitor ? void navigate(loginPath(location)) : openChat(name))}>
        {t('community.write')}
      </Button>
      <FavoriteButton framed bare title={name} marked={{ kind: 'user', id: name, favorited, favorites: 0 }} />
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? <Skeleton height="1em" width="3em" />}</dd>
    </div>
  );
}

/** What they published, by kind. */
function Made({ name }: { name: string }) {
  const { t } = useTranslation();
  const [address, setAddress] = useInPage();
  const tab = names.find((one) => one === address.get('tab')) ?? 'dashboards';
  const paging = readPaging(address, cardSize);
  const menu = useCardMenu();
  return (
    <>
      <Tabs label={t('community.discover.tabs')} current={tab} tabs={names.map((one) => ({ key: one, name: t(`community.tabs.${one}`), to: `${creatorOf(name)}&tab=${one}` }))} />
      <div className={page.body}>
        <LoadedList
          key={tab}
          label={t(`community.tabs.${tab}`)}
          query={useMadeBy(name, tabs[tab], paging)}
          head={<RowsHead own name={t(`community.one.${tab}`)} />}
          row={(card: Card) => <CreationItem own card={card} menu={menu(card).filter(({ key }) => key !== 'creator')} />}
          nothing={() => <Empty title={t(`community.empty.${tab}`)} />}
          paging={paging}
          onPage={(next) => setAddress({ userName: name, tab, ...writePaging(next, cardSize) })}
        />
      </div>
    </>
  );
}
