/** Under the run bar: the result, its drawing and charts as tabs, and saving it as a file. Former rows stay on show while a new run works. */
import { Dropdown } from 'antd';
import { Download, Plus, Table2, Waypoints } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadResult, type DownloadFormat, type ResultPage } from '@/api/jobs';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { useElapsedText } from '@/ui/elapsed';
import type { FetchRows } from '@/ui/grid-rows';
import { lazyPart, Part } from '@/ui/part';
import { Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { tabId, TabList } from '@/ui/tab-list';
import { vizType } from '@/viz/registry';
import type { DrawnRows } from '@/viz/use-result-table';
import type { ChartDraft } from '../model/drafts';
import { useChartTitle } from '../model/use-charts';
import { GraphPane } from './graph-pane';
import css from './result-panel.module.css';

const Grid = lazyPart(() => import('@/ui/grid').then(({ Grid: component }) => ({ default: component })));
const FORMATS: readonly { key: DownloadFormat; label: string }[] = [
  { key: 'csv', label: 'CSV' },
  { key: 'xlsx', label: 'Excel' },
  { key: 'json', label: 'JSON' },
  { key: 'parquet', label: 'Parquet' },
  { key: 'arrow', label: 'Arrow' },
];
const icon = { size: 16, strokeWidth: 1.6, 'aria-hidden': true } as const;
export const RESULT_TAB = 'result';

export const GRAPH_TAB = 'graph';

/** The result on show, wherever it comes from. */
export interface ShownResult {
  /** Tells it from every other result. */
  key: string;
  data: ResultPage | undefined;
  error: Error | null;
  loading: boolean;
  retry: () => void;
  finishTime: number | null;
  elapsedMs: number | null;
  /** The job whose result can be saved as a file and drawn; none for what others share. */
  jobId: string | null;
  /** Its rows end there for who is no member. */
  cutAt: string | null;
}

interface ResultPanelProps {
  /** A newer run works or has failed: the rows are those of an earlier one. */
  former: boolean;
  result: ShownResult;
  fetchRows: FetchRows;
  /** What charts are drawn from. */
  rows: DrawnRows;
  charts: readonly ChartDraft[];
  running: boolean;
  tab: string;
  /** The result may hold nodes and edges. */
  drawn: boolean;
  /** Rows shown at a time; all of them without. */
  pages: number | undefined;
  /** Shown in place of rows: an error, a prompt to log in. */
  instead: ReactNode;
  onTab: (tab: string) => void;
  /** Starts another chart; not offered to who may not. */
  onAdd: (() => void) | null;
}

export function ResultPanel(props: ResultPanelProps) {
  const { former, result, charts, tab, drawn, instead, onTab, onAdd } = props;
  const { t } = useTranslation();
  const titleOf = useChartTitle();
  const panel = useId();
  const { data, jobId } = result;
  // Of rows that are on show, never of those an error has taken the place of.
  const facts = instead !== null ? null : (
    <div className={css.facts}>
      {result.finishTime !== null && (former || jobId === null) ? <Tag tone={former ? 'warn' : 'plain'}>{t('queries.result.of', { time: formatTime(result.finishTime).slice(former ? 11 : 0) })}</Tag> : null}
      {data ? <span className={css.size}>{t('queries.result.size', { count: data.total, rows: count(data.total), columns: t('queries.result.columns', { count: data.columns.length }) })}</span> : null}
      {data && jobId !== null ? (
        <Dropdown trigger={['click']} menu={{ items: [{ type: 'group', label: t('queries.result.exportAs'), children: FORMATS.map(({ key, label }) => ({ key, label })) }], onClick: ({ key }) => void downloadResult(jobId, key as DownloadFormat) }}>
          <button type="button" className={css.tool}>
            <Download size={16} strokeWidth={1.6} aria-hidden />
            <span>{t('queries.result.export')}</span>
          </button>
        </Dropdown>
      ) : null}
    </div>
  );

  const tabs = [
    { key: RESULT_TAB, name: t('queries.result.tab'), icon: <Table2 {...icon} /> },
    ...(drawn && jobId !== null && data ? [{ key: GRAPH_TAB, name: t('editors.graph.tab'), icon: <Waypoints {...icon} /> }] : []),
    ...charts.map((chart, index) => {
      const Icon = vizType(chart.type).icon;
      return { key: chart.id, name: titleOf(chart, index), icon: <Icon {...icon} /> };
    }),
  ];

  return (
    <section className={css.panel} aria-label={t('queries.result.tab')}>
      <div className={css.head}>
        <TabList tabs={tabs} current={tab} label={t('queries.result.tabs')} panelId={panel} onChange={onTab} />
        {data && onAdd ? (
          <button type="button" className={css.tool} onClick={onAdd}>
            <Plus size={16} strokeWidth={1.6} aria-hidden />
            <span>{t('queries.result.add')}</span>
          </button>
        ) : null}
        <span className={css.gap} />
        {facts}
      </div>
      <div id={panel} role="tabpanel" aria-labelledby={tabId(panel, tab)} className={css.body} data-former={former}>
        <Part of={[result.key, tab, instead === null]}>
          <Body {...props} />
        </Part>
      </div>
    </section>
  );
}

function Body({ result, fetchRows, rows, charts, running, tab, drawn, pages, instead }: ResultPanelProps) {
  const { t } = useTranslation();
  const elapsedText = useElapsedText();
  const titleOf = useChartTitle();
  const { data, error, loading, retry } = result;
  if (instead !== null) return instead;
  if (error) return <Failed message={messageOf(error)} onRetry={retry} />;
  if (loading) return <GridSkeleton />;
  if (!data) return <Empty title={t('queries.result.firstTitle')}>{running ? t('queries.result.running') : t('queries.result.first')}</Empty>;
  if (tab === GRAPH_TAB && drawn && result.jobId !== null) return <GraphPane jobId={result.jobId} title={t('editors.graph.tab')} />;
  const at = charts.findIndex((one) => one.id === tab);
  const chart = charts[at];
  if (chart) {
    const { View } = vizType(chart.type);
    if (rows.error) return <Failed message={messageOf(rows.error)} onRetry={rows.retry} />;
    return rows.table ? (
      <div className={css.chart}>
        <View table={rows.table} stored={chart.options} title={titleOf(chart, at)} />
      </div>
    ) : (
      <GridSkeleton />
    );
  }
  if (data.total === 0) {
    return (
      <Empty icon={<Table2 size={26} strokeWidth={1.4} aria-hidden />} title={t('common.noData')}>
        {result.elapsedMs === null ? null : t('queries.result.empty', { time: elapsedText(result.elapsedMs) })}
      </Empty>
    );
  }
  return <Rows key={result.key} result={result} data={data} fetchRows={fetchRows} pages={pages} />;
}

/** The rows as a grid: all of them, or so many at a time and more on demand. */
function Rows({ result, data, fetchRows, pages }: { result: ShownResult; data: ResultPage; fetchRows: FetchRows; pages: number | undefined }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(pages ?? data.total);
  const shown = Math.min(pages === undefined ? data.total : wanted, data.total);
  const grid = (
    <Part waiting={<GridSkeleton />}>
      <Grid source={result.key} columns={data.columns.map((column, index) => ({ ...column, index }))} total={shown} fetchRows={fetchRows} label={t('queries.result.label')} />
    </Part>
  );
  const cut = result.cutAt === null ? null : <p className={css.cut}>{t('editors.result.cut', { time: result.cutAt })}</p>;
  if (pages === undefined && cut === null) return grid;
  return (
    <div className={css.paged}>
      <div>{grid}</div>
      {cut}
      {pages === undefined ? null : (
        <div className={css.pager}>
          <span>{t('editors.result.shown', { count: data.total, shown: count(shown), total: count(data.total) })}</span>
          <span className={css.pages} role="group" aria-label={t('editors.result.display')}>
            <button type="button" aria-pressed={shown <= pages} onClick={() => setWanted(pages)}>
              {pages}
            </button>
            <button type="button" disabled={shown >= data.total} onClick={() => setWanted(shown + pages)}>
              {t('editors.result.more', { rows: pages })}
            </button>
            <button type="button" aria-pressed={shown >= data.total} onClick={() => setWanted(data.total)}>
              {t('editors.result.all')}
            </button>
          </span>
        </div>
      )}
    </div>
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
