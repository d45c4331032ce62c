// The rows of each tab, and what stands in their place while there are none.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Layers } from 'lucide-react';
import type { Card } from '@/api/creations';
import { messageOf } from '@/api/error';
import { paths } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { CreationRow, rows, RowsHead, WaitingRows } from '@/ui/creation-row';
import { Pages } from '@/ui/pages';
import { Empty, Failed } from '@/ui/parts';
import { Thumbnail } from '@/viz/thumbnail';
import { useAddresses, useCreators, useDashboards, useProjects, useQueries } from '../api';
import { AddressRow } from '../parts/address-row';
import { CreatorRow } from '../parts/creator-row';
import { useCardMenu } from '../parts/use-card-menu';
import { wider, type View } from './model';
import css from './discover.module.css';

interface ListProps {
  view: View;
  onChange: (next: Partial<View>) => void;
}

export function Lists(props: ListProps) {
  const List = { dashboards: DashboardList, queries: QueryList, creators: CreatorList, projects: ProjectList, addresses: AddressList }[props.view.tab];
  return <List {...props} />;
}

function DashboardList(props: ListProps) {
  const menu = useCardMenu();
  return <List {...props} query={useDashboards(props.view)} row={(card: Card) => <CreationRow key={card.id} card={card} preview={<Thumbnail visualizationId={card.previewId} />} menu={menu(card)} />} />;
}

function QueryList(props: ListProps) {
  const menu = useCardMenu();
  return <List {...props} query={useQueries(props.view)} row={(card: Card) => <CreationRow key={card.id} card={card} preview={<Thumbnail queryId={card.lastRunTime ? card.id : null} />} menu={menu(card)} />} />;
}

function ProjectList(props: ListProps) {
  const menu = useCardMenu();
  return <List {...props} query={useProjects(props.view)} row={(card: Card) => <CreationRow key={card.id} card={card} preview={<Layers size={22} strokeWidth={1.4} />} menu={menu(card)} />} />;
}

function CreatorList(props: ListProps) {
  return <List {...props} query={useCreators(props.view)} row={(creator) => <CreatorRow key={creator.userName} creator={creator} />} />;
}

function AddressList(props: ListProps) {
  return <List {...props} query={useAddresses(props.view)} row={(card) => <AddressRow key={card.address} card={card} />} />;
}

interface LoadedProps<T> extends ListProps {
  query: UseQueryResult<{ items: T[]; total: number }>;
  row: (item: T) => ReactNode;
}

function List<T>({ view, onChange, query, row }: LoadedProps<T>) {
  const { t } = useTranslation();
  const { data, error, isPending, isPlaceholderData, refetch } = query;
  return (
    <section aria-label={t(`community.tabs.${view.tab}`)} className={css.list}>
      {error && !data ? (
        <div className={css.card}>
          <Failed message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      ) : data?.items.length === 0 ? (
        <Nothing view={view} onChange={onChange} beyond={data.total > 0} />
      ) : (
        <ul className={rows} aria-busy={isPending || isPlaceholderData}>
          {view.tab !== 'creators' && view.tab !== 'addresses' && <RowsHead name={t(`community.one.${view.tab}`)} />}
          {data ? data.items.map((item, at) => <Fragment key={at}>{row(item)}</Fragment>) : <WaitingRows count={view.size} />}
        </ul>
      )}
      <Pages paging={view} total={data?.total ?? 0} onChange={onChange} />
    </section>
  );
}

/** Why the list is empty, and the way to one that is not. */
function Nothing({ view, onChange, beyond }: ListProps & { beyond: boolean }) {
  const { t } = useTranslation();
  const next = wider(view.range);
  return (
    <div className={css.card}>
      <Empty
        title={t(`community.empty.${view.tab}`)}
        actions={
          <>
            {beyond && (
              <Button size="small" onClick={() => onChange({ page: 1 })}>
                {t('community.empty.firstPage')}
              </Button>
            )}
            {view.search !== '' && (
              <Button size="small" onClick={() => onChange({ search: '' })}>
                {t('community.empty.clearSearch')}
              </Button>
            )}
            {next !== null && (
              <Button size="small" onClick={() => onChange({ range: next })}>
                {t(`community.empty.show.${next}`)}
              </Button>
            )}
            {view.tab === 'queries' && (
              <ButtonLink size="small" kind="primary" to={paths.query}>
                {t('shell.create.query')}
              </ButtonLink>
            )}
          </>
        }
      >
        {view.search === '' ? (next === null ? t('community.empty.never') : t('community.empty.inRange')) : t('community.empty.search', { search: view.search })}
      </Empty>
    </div>
  );
}
