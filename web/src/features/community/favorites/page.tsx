// Favourites: what the person marked, in five tabs; taking a mark back can be undone.
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Card } from '@/api/creations';
import { markAgain, type FavoriteKind } from '@/api/favorites';
import { useTitles } from '@/i18n/titles';
import { cardSize, readPaging, writePaging, type Paging } from '@/lib/paging';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { RowsHead } from '@/ui/creation-row';
import { useInPage } from '@/ui/in-page';
import { notify } from '@/ui/notices';
import { Empty } from '@/ui/parts';
import { Tabs } from '@/ui/tabs';
import { useFavoriteNames, useFavorites } from '../api';
import { tabs, type Tab } from '../discover/model';
import { CreationItem } from '../parts/creation-item';
import { LoadedList } from '../parts/loaded-list';
import { NameRow } from '../parts/name-row';
import page from '../parts/page.module.css';
import { useCardMenu } from '../parts/use-card-menu';

const kinds = { dashboards: 'dashboard', queries: 'query', projects: 'project' } as const;

export function Component() {
  const { t } = useTranslation();
  usePage(t('shell.nav.favorites'));
  const [address, setAddress] = useInPage();
  const tab: Tab = tabs.find((one) => one === address.get('tab')) ?? 'dashboards';
  const paging = readPaging(address, cardSize);
  const toPage = (next: Paging) => setAddress({ ...(tab === 'dashboards' ? {} : { tab }), ...writePaging(next, cardSize) });
  const list = { tab, paging, onPage: toPage };
  return (
    <div className={page.page}>
      <h1>{t('shell.nav.favorites')}</h1>
      <Tabs label={t('community.discover.tabs')} current={tab} tabs={tabs.map((one) => ({ key: one, name: t(`community.tabs.${one}`), to: one === 'dashboards' ? paths.favorites : `${paths.favorites}?tab=${one}` }))} />
      <div className={page.body}>{tab === 'creators' || tab === 'addresses' ? <Names {...list} key={tab} kind={tab === 'creators' ? 'user' : 'address'} /> : <Creations {...list} key={tab} kind={kinds[tab]} />}</div>
    </div>
  );
}

interface ListProps {
  tab: Tab;
  paging: Paging;
  onPage: (paging: Paging) => void;
}

/** Says that a mark was taken back, and how to set it again. */
function useUnmarked(): (kind: FavoriteKind, id: string, title: string) => (favorited: boolean) => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (kind, id, title) => (favorited) => {
    // A refusal is told by the popup.
    if (!favorited) notify.undo(t('community.unmarked', { title }), () => void markAgain(client, kind, id).catch(() => undefined));
  };
}

function Creations({ tab, kind, paging, onPage }: ListProps & { kind: 'dashboard' | 'query' | 'project' }) {
  const { t } = useTranslation();
  const menu = useCardMenu();
  const unmarked = useUnmarked();
  const titleOf = useTitles();
  const name = tab === 'dashboards' || tab === 'queries' ? tab : 'projects';
  return <LoadedList label={t(`community.tabs.${tab}`)} query={useFavorites(kind, paging)} head={<RowsHead name={t(`community.one.${name}`)} />} row={(card: Card) => <CreationItem card={card} menu={menu(card)} onFavorite={unmarked(kind, card.id, titleOf(card))} />} nothing={() => <Nothing tab={tab} />} paging={paging} onPage={onPage} />;
}

function Names({ tab, kind, paging, onPage }: ListProps & { kind: 'user' | 'address' }) {
  const { t } = useTranslation();
  const unmarked = useUnmarked();
  return <LoadedList label={t(`community.tabs.${tab}`)} query={useFavoriteNames(kind, paging)} row={(name) => <NameRow kind={kind} name={name.id} since={name.createTime} onFavorite={unmarked(kind, name.id, name.id)} />} nothing={() => <Nothing tab={tab} />} paging={paging} onPage={onPage} />;
}

function Nothing({ tab }: { tab: Tab }) {
  const { t } = useTranslation();
  return (
    <Empty
      title={t(`community.empty.${tab}`)}
      actions={
        <ButtonLink kind="primary" size="small" to={tab === 'dashboards' ? paths.discover : `${paths.discover}?tab=${tab}`}>
          {t('shell.nav.discover')}
        </ButtonLink>
      }
    >
      {t('community.empty.favorites')}
    </Empty>
  );
}
