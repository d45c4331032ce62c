// Projects: those that people published, and the person's own.
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import type { Card } from '@/api/creations';
import { loginPath } from '@/lib/guard';
import { cardSize, readPaging, writePaging, type Paging } from '@/lib/paging';
import { usePage } from '@/lib/page';
import { paths, projectOf } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { Button } from '@/ui/button';
import { RowsHead } from '@/ui/creation-row';
import { Empty } from '@/ui/parts';
import { Tabs } from '@/ui/tabs';
import { useMine, useProjects } from '../api';
import { CreationItem } from '../parts/creation-item';
import { useDoomed } from '@/ui/deletions';
import { useInPage } from '@/ui/in-page';
import { LoadedList } from '../parts/loaded-list';
import page from '../parts/page.module.css';
import { SearchBox } from '../parts/search-box';
import { useCardMenu } from '../parts/use-card-menu';
import { ProjectForm } from './project-form';

interface Shown extends Paging {
  mine: boolean;
  search: string;
}

const read = (address: URLSearchParams): Shown => ({ mine: address.get('of') === 'me', search: address.get('search') ?? '', ...readPaging(address, cardSize) });
const write = ({ mine, search, ...paging }: Shown): Record<string, string> => ({ ...(mine ? { of: 'me' } : {}), ...(search === '' ? {} : { search }), ...writePaging(paging, cardSize) });

export function Component() {
  const { t } = useTranslation();
  usePage(t('shell.nav.projects'));
  const navigate = useNavigate();
  const location = useLocation();
  const visitor = useSession().token === null;
  const [address, setAddress] = useInPage();
  const shown = read(address);
  const [making, setMaking] = useState(false);
  const search = useCallback((text: string) => setAddress((now) => write({ ...read(now), page: 1, search: text }), { replace: true }), [setAddress]);
  const create = () => {
    if (visitor) void navigate(loginPath(location));
    else setMaking(true);
  };
  const list = { shown, onPage: (paging: Paging) => setAddress(write({ ...shown, ...paging })), onCreate: create };
  return (
    <div className={page.page}>
      <header className={page.top}>
        <div>
          <h1>{t('shell.nav.projects')}</h1>
          <p>{t('community.project.intro')}</p>
        </div>
        <Button kind="primary" icon={<Plus size={17} strokeWidth={1.6} />} onClick={create}>
          {t('community.project.new')}
        </Button>
      </header>
      {!visitor && (
        <Tabs
          label={t('community.discover.tabs')}
          current={shown.mine ? 'me' : 'all'}
          tabs={[
            { key: 'all', name: t('community.project.all'), to: paths.projects },
            { key: 'me', name: t('community.project.mine'), to: `${paths.projects}?of=me` },
          ]}
        />
      )}
      <div className={page.filters}>
        <SearchBox explained={!shown.mine} value={shown.search} label={t('community.search.in.projects')} onChange={search} />
      </div>
      {shown.mine && !visitor ? <Mine {...list} /> : <All {...list} />}
      {making && <ProjectForm onClose={() => setMaking(false)} onSaved={({ id }) => void navigate(projectOf(id))} />}
    </div>
  );
}

interface ListProps {
  shown: Shown;
  onPage: (paging: Paging) => void;
  onCreate: () => void;
}

function All(props: ListProps) {
  const { page: number, size, search } = props.shown;
  return <List {...props} query={useProjects({ tab: 'projects', sort: 'favorites', range: 'all', search, page: number, size })} />;
}

function Mine(props: ListProps) {
  const { page: number, size, search } = props.shown;
  return <List {...props} query={useMine({ kind: 'project', search: search === '' ? undefined : search, page: number, size })} />;
}

function List({ shown, onPage, onCreate, query }: ListProps & { query: ReturnType<typeof useMine> }) {
  const { t } = useTranslation();
  const menu = useCardMenu();
  const doomed = useDoomed();
  return (
    <LoadedList
      label={t('shell.nav.projects')}
      query={query}
      head={<RowsHead own={shown.mine} name={t('community.one.projects')} />}
      row={(card: Card) => (doomed.has(card.id) ? null : <CreationItem own={shown.mine} card={card} menu={menu(card)} />)}
      nothing={() => (
        <Empty
          title={t('community.empty.projects')}
          actions={
            <Button kind="primary" size="small" onClick={onCreate}>
              {t('community.project.new')}
            </Button>
          }
        >
          {shown.search === '' ? t('community.project.none') : t('community.empty.search', { search: shown.search })}
        </Empty>
      )}
      paging={shown}
      onPage={onPage}
    />
  );
}
