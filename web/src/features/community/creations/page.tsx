// My creations: everything the person made, by kind and title, with sharing and deleting.
import { useQueryClient } from '@tanstack/react-query';
import { Plus, Share2, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pageOf, type Card, type CreationKind } from '@/api/creations';
import { cardsKey } from '@/api/favorites';
import { useTitles } from '@/i18n/titles';
import { cardSize, readPaging, writePaging } from '@/lib/paging';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { RowsHead } from '@/ui/creation-row';
import { Empty } from '@/ui/parts';
import { ShareDialog } from '@/ui/share';
import { Tabs } from '@/ui/tabs';
import { useMine, type MineFilter } from '../api';
import { CreationItem } from '../parts/creation-item';
import { deleteLater, useDoomed } from '@/ui/deletions';
import { useInPage } from '@/ui/in-page';
import { LoadedList } from '../parts/loaded-list';
import page from '../parts/page.module.css';
import { SearchBox } from '../parts/search-box';
import { useCardMenu } from '../parts/use-card-menu';

const kinds = ['dashboard', 'query', 'visualization', 'graph', 'project'] as const;
const icon = { size: 16, strokeWidth: 1.6 } as const;

function readFilter(address: URLSearchParams): MineFilter {
  const search = address.get('search') ?? '';
  return { kind: kinds.find((kind) => kind === address.get('kind')), search: search === '' ? undefined : search, ...readPaging(address, cardSize) };
}

function writeFilter({ kind, search, ...paging }: MineFilter): Record<string, string> {
  return { ...(kind ? { kind } : {}), ...(search ? { search } : {}), ...writePaging(paging, cardSize) };
}

export function Component() {
  const { t } = useTranslation();
  usePage(t('shell.nav.creations'));
  const titleOf = useTitles();
  const client = useQueryClient();
  const [address, setAddress] = useInPage();
  const filter = readFilter(address);
  const query = useMine(filter);
  const doomed = useDoomed();
  const common = useCardMenu();
  const [shared, setShared] = useState<Card | null>(null);
  const search = useCallback((text: string) => setAddress((now) => writeFilter({ ...readFilter(now), page: 1, search: text }), { replace: true }), [setAddress]);
  const tabTo = (kind: CreationKind | undefined) => `${paths.creations}?${new URLSearchParams(writeFilter({ ...filter, kind, page: 1 })).toString()}`;

  const menu = (card: Card) => [
    ...(pageOf(card) === null ? [] : [{ key: 'share', label: t('common.share'), icon: <Share2 {...icon} />, onSelect: () => setShared(card) }]),
    ...common(card).filter(({ key }) => key !== 'creator'),
    { key: 'delete', label: t('community.delete'), icon: <Trash2 {...icon} />, apart: true, onSelect: () => deleteLater(client, card, t('community.deleted', { title: titleOf(card) })) },
  ];

  return (
    <div className={page.page}>
      <header className={page.top}>
        <h1>{t('shell.nav.creations')}</h1>
        <ButtonLink kind="primary" to={paths.query} icon={<Plus {...icon} />}>
          {t('shell.create.query')}
        </ButtonLink>
      </header>
      <Tabs label={t('community.discover.tabs')} current={filter.kind ?? ''} tabs={[{ key: '', name: t('community.kinds.all'), to: tabTo(undefined) }, ...kinds.map((kind) => ({ key: kind, name: t(`community.kinds.${kind}`), to: tabTo(kind) }))]} />
      <div className={page.filters}>
        <SearchBox value={filter.search ?? ''} label={t('community.search.mine')} onChange={search} />
      </div>
      <LoadedList
        label={t('shell.nav.creations')}
        query={query}
        head={<RowsHead own name={t('community.kinds.name')} />}
        row={(card: Card) => (doomed.has(card.id) ? null : <CreationItem own card={card} menu={menu(card)} />)}
        nothing={() => (
          <Empty
            title={t(filter.kind === 'dashboard' ? 'community.empty.dashboards' : filter.kind === 'project' ? 'community.empty.projects' : filter.kind === undefined || filter.kind === 'query' ? 'community.empty.queries' : 'common.noData')}
            actions={
              <ButtonLink kind="primary" size="small" to={paths.query}>
                {t('shell.create.query')}
              </ButtonLink>
            }
          >
            {filter.search ? t('community.empty.search', { search: filter.search }) : t('community.empty.mine')}
          </Empty>
        )}
        paging={filter}
        onPage={(paging) => setAddress(writeFilter({ ...filter, ...paging }))}
      />
      {shared && (
        <ShareDialog
          of={{ id: shared.id, title: titleOf(shared), visibility: shared.visibility, editable: true }}
          path={(share) => `${pageOf(shared) ?? ''}${share === null ? '' : `&share=${encodeURIComponent(share)}`}`}
          onChange={(visibility) => {
            setShared({ ...shared, visibility });
            void client.invalidateQueries({ queryKey: [cardsKey] });
          }}
          onClose={() => setShared(null)}
        />
      )}
    </div>
  );
}
