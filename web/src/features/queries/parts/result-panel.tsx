/** Under the run bar: the result, its charts as tabs, and saving it as a file. Former rows stay on show while a new run works. */
import { Dropdown, Tabs } from 'antd';
import { Download, Plus, Table2 } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadResult, type DownloadFormat, type Job, type ResultPage } from '@/api/jobs';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { useElapsedText } from '@/ui/elapsed';
import type { FetchRows } from '@/ui/grid-rows';
import { Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { vizType } from '@/viz/registry';
import type { ResultTable } from '@/viz/types';
import type { ChartDraft } from '../model/drafts';
import { useChartTitle } from '../model/use-charts';
import css from './result-panel.module.css';

const Grid = lazy(() => import('@/ui/grid').then(({ Grid: component }) => ({ default: component })));
const FORMATS: readonly { key: DownloadFormat; label: string }[] = [
  { key: 'csv', label: 'CSV' },
  { key: 'json', label: 'JSON' },
  { key: 'parquet', label: 'Parquet' },
];
export const RESULT_TAB = 'result';

interface ResultPanelProps {
  /** The run whose rows are shown. */
  job: Job | undefined;
  /** A newer run works or has failed: the rows are those of an earlier one. */
  former: boolean;
  result: { data: ResultPage | undefined; error: Error | null; loading: boolean; retry: () => void };
  fetchRows: FetchRows;
  table: ResultTable | undefined;
  charts: readonly ChartDraft[];
  running: boolean;
  tab: string;
  /** Shown in place of rows: an error, a prompt to log in. */
  instead: ReactNode;
  onTab: (tab: string) => void;
  onAdd: () => void;
}

export function ResultPanel(props: ResultPanelProps) {
  const { job, former, result, charts, tab, onTab, onAdd } = props;
  const { t } = useTranslation();
  const titleOf = useChartTitle();
  const { data } = result;
  const facts = (
    <div className={css.facts}>
      {former && job?.finishTime ? <Tag tone="warn">{t('queries.result.of', { time: formatTime(job.finishTime).slice(11) })}</Tag> : null}
      {data ? <span className={css.size}>{t('queries.result.size', { count: data.total, rows: count(data.total), columns: data.columns.length })}</span> : null}
      {data && job ? (
        <Dropdown trigger={['click']} menu={{ items: [{ type: 'group', label: t('queries.result.exportAs'), children: FORMATS.map(({ key, label }) => ({ key, label })) }], onClick: ({ key }) => void downloadResult(job.jobId, key as DownloadFormat) }}>
          <button type="button" className={css.tool}>
            <Download size={16} strokeWidth={1.6} aria-hidden />
            <span>{t('queries.result.export')}</span>
          </button>
        </Dropdown>
      ) : null}
    </div>
  );

  const items = [
    { key: RESULT_TAB, label: <TabLabel icon={<Table2 size={16} strokeWidth={1.6} aria-hidden />}>{t('queries.result.tab')}</TabLabel> },
    ...charts.map((chart, index) => {
      const Icon = vizType(chart.type).icon;
      return { key: chart.id, label: <TabLabel icon={<Icon size={16} strokeWidth={1.6} aria-hidden />}>{titleOf(chart, index)}</TabLabel> };
    }),
  ];

  return (
    <section className={css.panel} aria-label={t('queries.result.tabs')}>
      <div className={css.head}>
        <Tabs className={css.tabs} size="small" activeKey={tab} onChange={onTab} items={items} />
        {data ? (
          <button type="button" className={css.tool} onClick={onAdd}>
            <Plus size={16} strokeWidth={1.6} aria-hidden />
            <span>{t('queries.result.add')}</span>
          </button>
        ) : null}
        <span className={css.gap} />
        {facts}
      </div>
      <div className={css.body} data-former={former}>
        <Body {...props} />
      </div>
    </section>
  );
}

function TabLabel({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className={css.tab}>
      {icon}
      {children}
    </span>
  );
}

function Body({ job, result, fetchRows, table, charts, running, tab, instead }: ResultPanelProps) {
  const { t } = useTranslation();
  const elapsedText = useElapsedText();
  const titleOf = useChartTitle();
  const { data, error, loading, retry } = result;
  if (instead !== null) return instead;
  if (error) return <Failed message={messageOf(error)} onRetry={retry} />;
  if (loading || (data && !job)) return <GridSkeleton />;
  if (!data || !job) return <Empty title={t('queries.result.firstTitle')}>{running ? t('queries.result.running') : t('queries.result.first')}</Empty>;
  const at = charts.findIndex((one) => one.id === tab);
  const chart = charts[at];
  if (chart) {
    const { View } = vizType(chart.type);
    return table ? (
      <div className={css.chart}>
        <View table={table} stored={chart.options} title={titleOf(chart, at)} />
      </div>
    ) : (
      <GridSkeleton />
    );
  }
  if (data.total === 0) {
    return (
      <Empty icon={<Table2 size={26} strokeWidth={1.4} aria-hidden />} title={t('common.noData')}>
        {t('queries.result.empty', { time: elapsedText(job.elapsedMs) })}
      </Empty>
    );
  }
  return (
    <Suspense fallback={<GridSkeleton />}>
      <Grid source={job.jobId} columns={data.columns.map((column, index) => ({ ...column, index }))} total={data.total} fetchRows={fetchRows} label={t('queries.result.label')} />
    </Suspense>
  );
}

function GridSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={css.skeleton} role="status" aria-label={t('queries.result.loading')}>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} height="0.8em" width={`${92 - ((index * 13) % 30)}%`} />
      ))}
    </div>
  );
}
