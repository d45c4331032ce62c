// A page of the back office that is one list: heading, filters, table, pages, and the whole as a CSV file.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { request } from '@/api/request';
import { count } from '@/lib/format';
import { saveFile } from '@/lib/save-file';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notices';
import { Pages } from '@/ui/pages';
import { Beyond, Empty, Failed } from '@/ui/parts';
import type { SystemPageId } from '../pages';
import { DataTable, type Column } from './data-table';
import { fileText } from './file';
import { FilterBar } from './filter-bar';
import type { FilterSpec, ListQuery } from './filters';
import { PageHead } from './page-head';
import { allRows, type Source } from './source';
import { useFilters } from './use-filters';
import css from './kit.module.css';

interface ListProps<Row> {
  source: Source<Row>;
  /** The same array between renders. */
  filters: readonly FilterSpec[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** What the file and the table are called. */
  name: string;
  /** Asks again by itself so often. */
  refreshMs?: number;
  /** What to say when there is no row at all. */
  empty?: string;
  /** Beside the filters, at the right. */
  beside?: ReactNode;
}

interface ListPageProps<Row> extends Omit<ListProps<Row>, 'name'> {
  page: SystemPageId;
  actions?: ReactNode;
  /** Between the heading and the filters: figures and charts. */
  above?: ReactNode;
}

export function ListPage<Row>({ page, actions, above, ...list }: ListPageProps<Row>) {
  const { t } = useTranslation();
  const { query } = useFilters(list.filters);
  const name = t(`system.pages.${page}`);
  return (
    <>
      <PageHead
        page={page}
        actions={
          <>
            <ExportButton source={list.source} columns={list.columns} query={query} name={name} />
            {actions}
          </>
        }
      />
      {above}
      <List {...list} name={name} />
    </>
  );
}

/** The list alone, for pages that are more than one. */
export function List<Row>({ source, filters: specs, columns, rowKey, name, refreshMs, empty, beside }: ListProps<Row>) {
  const { t } = useTranslation();
  const filters = useFilters(specs);
  const list = useQuery({
    queryKey: ['system', source.key, filters.query],
    queryFn: ({ signal }) => source.fetch(filters.query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs ?? false,
  });
  const rows = list.data?.items ?? [];
  const filtered = Object.keys(filters.values).length > 0;
  return (
    <>
      {(specs.length > 0 || beside !== undefined) && (
        <div className={css.filters}>
          <FilterBar specs={specs} filters={filters} />
          {beside}
        </div>
      )}
      <DataTable label={name} columns={columns} rows={rows} rowKey={rowKey} waiting={list.isPending} stale={list.isPlaceholderData}>
        {list.isError && !list.data && <Failed message={messageOf(list.error)} onRetry={() => void list.refetch()} />}
        {list.data && rows.length === 0 && list.data.total > 0 && <Beyond onFirst={() => filters.turn({ page: 1, size: filters.size })} />}
        {list.data?.total === 0 && <Empty title={t('common.noData')}>{filtered ? t('system.kit.nothingFiltered') : empty}</Empty>}
      </DataTable>
      <Pages paging={filters} total={list.data?.total ?? 0} onChange={filters.turn} />
    </>
  );
}

interface ExportProps<Row> {
  source: Source<Row>;
  columns: readonly Column<Row>[];
  query: ListQuery;
  name: string;
}

/** Saves all that the filters let through: the server's own file where it makes one, else the columns as they are shown. */
export function ExportButton<Row>({ source, columns, query, name }: ExportProps<Row>) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      if (source.file !== undefined) {
        saveFile(`${name}.csv`, await request<Blob>('GET', source.file, { query: { ...query } }));
      } else {
        const { rows, total } = await allRows(source, query);
        saveFile(`${name}.csv`, new Blob([fileText(columns, rows)], { type: 'text/csv' }));
        if (rows.length < total) notify.error(t('system.kit.exportCut', { rows: count(rows.length), total: count(total) }));
      }
    } catch (error) {
      console.warn('The list could not be saved', error);
      // The server's own file has told its failure by then.
      if (source.file === undefined) notify.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon={<Download size={17} strokeWidth={1.6} />} busy={busy} onClick={() => void save()}>
      {t('system.kit.export')}
    </Button>
  );
}
