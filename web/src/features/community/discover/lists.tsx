// The rows of each tab, and what stands in their place while there are none.
import { useTranslation } from 'react-i18next';
import type { Card } from '@/api/creations';
import { paths } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { RowsHead } from '@/ui/creation-row';
import { Empty } from '@/ui/parts';
import { useAddresses, useCreators, useDashboards, useProjects, useQueries } from '../api';
import { AddressRow } from '../parts/address-row';
import { CreationItem } from '../parts/creation-item';
import { CreatorRow } from '../parts/creator-row';
import { LoadedList } from '../parts/loaded-list';
import { useCardMenu } from '../parts/use-card-menu';
import { wider, type View } from './model';

interface ListProps {
  view: View;
  onChange: (next: Partial<View>) => void;
}

export function Lists(props: ListProps) {
  const List = { dashboards: DashboardList, queries: QueryList, creators: CreatorList, projects: ProjectList, addresses: AddressList }[props.view.tab];
  return <List {...props} />;
}

const DashboardList = (props: ListProps) => <CreationList {...props} query={useDashboards(props.view)} />;
const QueryList = (props: ListProps) => <CreationList {...props} query={useQueries(props.view)} />;
const ProjectList = (props: ListProps) => <CreationList {...props} query={useProjects(props.view)} />;

function CreationList({ query, ...props }: ListProps & { query: ReturnType<typeof useDashboards> }) {
  const { t } = useTranslation();
  const menu = useCardMenu();
  const { view, onChange } = props;
  const name = view.tab === 'dashboards' || view.tab === 'queries' ? view.tab : 'projects';
  return <LoadedList label={t(`community.tabs.${view.tab}`)} query={query} head={<RowsHead name={t(`community.one.${name}`)} />} row={(card: Card) => <CreationItem card={card} menu={menu(card)} />} nothing={() => <Nothing {...props} />} paging={view} onPage={onChange} />;
}

function CreatorList(props: ListProps) {
  const { t } = useTranslation();
  return <LoadedList label={t('community.tabs.creators')} query={useCreators(props.view)} row={(creator) => <CreatorRow creator={creator} />} nothing={() => <Nothing {...props} />} paging={props.view} onPage={props.onChange} />;
}

function AddressList(props: ListProps) {
  const { t } = useTranslation();
  return <LoadedList label={t('community.tabs.addresses')} query={useAddresses(props.view)} row={(card) => <AddressRow card={card} />} nothing={() => <Nothing {...props} />} paging={props.view} onPage={props.onChange} />;
}

/** Why the list is empty, and the way to one that is not. */
function Nothing({ view, onChange }: ListProps) {
  const { t } = useTranslation();
  const next = wider(view.range);
  return (
    <Empty
      title={t(`community.empty.${view.tab}`)}
      actions={
        <>
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
  );
}
