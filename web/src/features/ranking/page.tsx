// The ranking of DApps by users, transactions or volume over the day, week or month before the head of the chain.
import { Segmented } from 'antd';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { useChain } from '@/api/chain';
import { messageOf } from '@/api/error';
import { csvText } from '@/lib/csv';
import { count, decimal } from '@/lib/format';
import { usePage } from '@/lib/page';
import { saveFile } from '@/lib/save-file';
import { dayMs, formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { useInPage } from '@/ui/in-page';
import { Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { SearchInput } from '@/ui/search-text';
import { changeText } from './change';
import { daysOf, fastest, ordered, periods, readView, sumOf, writeView, type Period, type Ranked, type View } from './model';
import { RankingTable } from './table';
import { TypesBar } from './types-bar';
import css from './ranking.module.css';

export function Component() {
  const { t } = useTranslation();
  usePage(t('ranking.title'));
  const [address, setAddress] = useInPage();
  const view = readView(address);
  const change = (next: Partial<View>, replace = false) => setAddress(writeView({ ...view, ...next }), { replace });
  const all = useRanking({ ...view, type: null });
  const { data, error, refetch, isPlaceholderData } = useRanking(view);
  const rows = data && ordered(data, view);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div>
          <h1>{t('ranking.title')}</h1>
          <p>{t('ranking.lead')}</p>
          <Span period={view.period} />
        </div>
        <Segmented<Period> aria-label={t('ranking.period')} value={view.period} onChange={(period) => change({ period })} options={periods.map((period) => ({ value: period, label: t(`ranking.periods.${period}`) }))} />
      </header>
      {all.isError && !all.data ? null : (
        <>
          <Figures rows={all.data} stale={all.isPlaceholderData} />
          <TypesBar rows={all.data} stale={all.isPlaceholderData} view={view} onType={(type) => change({ type })} />
        </>
      )}
      <div className={css.filters}>
        <SearchInput className={css.search} label={t('ranking.search')} value={view.search} maxLength={100} onChange={(search) => change({ search }, true)} />
        {/* The rows of the view before are not those that the file would be called after. */}
        <Button icon={<Download size={15} strokeWidth={1.6} />} disabled={!rows || rows.length === 0 || isPlaceholderData} onClick={() => rows && save(rows, view)}>
          {t('ranking.csv')}
        </Button>
      </div>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : !rows ? (
        <div role="status" aria-label={t('common.loading')} className={css.waiting}>
          {Array.from({ length: 12 }, (_, at) => (
            <Skeleton key={at} height="0.48rem" />
          ))}
        </div>
      ) : rows.length === 0 ? (
        <Empty
          title={t('common.noData')}
          actions={
            <Button kind="primary" onClick={() => change({ type: null, search: '' })}>
              {t('ranking.showAll')}
            </Button>
          }
        >
          {t('ranking.none')}
        </Empty>
      ) : (
        <RankingTable rows={rows} stale={isPlaceholderData} view={view} onSort={change} />
      )}
    </div>
  );
}

/** The DApps of the registry, ranked by the server. Another view shows the former rows until its own are there. */
function useRanking({ type, period, measure }: View) {
  return useQuery({
    queryKey: ['dapp-ranking', type, period, measure],
    queryFn: async ({ signal }) => (await call('get', '/api/dapp/ranking', { query: { ...(type === null ? {} : { type }), period, sort: measure }, signal, quiet: true })).items,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** From when to when it is counted. */
function Span({ period }: { period: Period }) {
  const { t } = useTranslation();
  const { data } = useChain();
  if (data && !data.head) return null;
  const to = data?.head?.time ?? daysOf[period] * dayMs;
  return (
    <p className={`${css.span} ${data ? '' : 'keeps-room'}`}>
      {t('ranking.span', { from: formatTime(to - daysOf[period] * dayMs), to: formatTime(to) })}
      {data?.origin !== 'node' && <Tag title={t('shell.sampleHint')}>{t('shell.sample')}</Tag>}
    </p>
  );
}

function Figures({ rows, stale }: { rows: readonly Ranked[] | undefined; stale: boolean }) {
  const { t } = useTranslation();
  const used = rows?.filter(({ transactions }) => transactions > 0).length;
  const best = rows && fastest(rows);
  const figures: [string, string | undefined, string?][] = [
    [t('ranking.figures.used'), rows && t('ranking.figures.usedOf', { used: count(used ?? 0), all: count(rows.length) })],
    [t('ranking.figures.transactions'), rows && count(sumOf(rows, 'transactions'))],
    [t('ranking.figures.volume'), rows && `${decimal(sumOf(rows, 'volume'), 18, 4)} ETH`, rows && t('ranking.wei', { value: count(sumOf(rows, 'volume')) })],
    [t('ranking.figures.fastest'), rows && (best ? `${best.name} ${changeText(best.transactionsChange ?? 0)}` : '–')],
  ];
  return (
    <dl className={css.figures} data-stale={stale}>
      {figures.map(([name, value, exact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={exact}>{value ?? <Skeleton height="1.45em" width="60%" />}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The rows on show as a file; amounts as the server sent them. */
function save(rows: readonly Ranked[], { period, type }: View): void {
  const names = ['rank', 'name', 'type', 'contracts', 'users', 'users_change_percent', 'transactions', 'transactions_change_percent', 'volume_wei', 'volume_change_percent'];
  const lines = rows.map((row) => [row.rank, row.name, row.dappType, row.contracts, row.users, row.usersChange, row.transactions, row.transactionsChange, row.volume, row.volumeChange].map((cell) => String(cell ?? '')));
  saveFile(`dapp-ranking-${type ?? 'all'}-${period}.csv`, new Blob([csvText(names, lines)], { type: 'text/csv' }));
}
