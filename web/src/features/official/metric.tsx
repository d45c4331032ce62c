// One official metric, large: its resolution, type and period, what it counts, its numbers and how to get them.
import { Segmented } from 'antd';
import { Download, GitBranch, Minimize } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { ApiError, messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { useFullScreen } from '@/lib/full-screen';
import { decodeId } from '@/lib/ids';
import { usePage } from '@/lib/page';
import { embedMetricPath, metricPath, paths, savedQuery } from '@/lib/paths';
import { Button, ButtonLink, IconButton } from '@/ui/button';
import { useInPage } from '@/ui/in-page';
import { Menu } from '@/ui/menu';
import { Part } from '@/ui/part';
import { Failed, Skeleton, Tag } from '@/ui/parts';
import { ShareButton } from '@/ui/share';
import type { FigureFormat } from '@/viz/frame';
import type { VizId } from '@/viz/types';
import { useFigureActions } from '@/viz/use-figure-actions';
import { useShownTable } from '@/viz/use-shown-table';
import { isResolution, useMetric, useOfficialDashboards, useQueryNotes, type Metric, type Resolution } from './api';
import { OfficialFigure } from './chart';
import { MetricList } from './metric-list';
import { GetSeries, UsedIn } from './metric-more';
import { Stats } from './metric-stats';
import { VisitorPrompt } from './prompt';
import { lastDays, pointsOf, statsOf, timeColumn } from './stats';
import { optionsOf, typeOf, typesOf } from './types';
import own from './metric.module.css';
import css from './official.module.css';

/** Days of the periods that can be chosen; 0 is everything there is. */
const periods = [7, 30, 90, 365, 0] as const;
const noTrail: { title: string; to: string }[] = [];

export function Component() {
  const [search] = useSearchParams();
  const dashboardId = decodeId(search.get('dashboardId'));
  const visualizationId = decodeId(search.get('visualizationId'));
  const resolution = search.get('resolution');
  if (dashboardId === null || visualizationId === null) return <Navigate to={paths.notFound} replace />;
  return <MetricPage key={visualizationId} metric={{ dashboardId, visualizationId, resolution: isResolution(resolution) ? resolution : '1 Day' }} />;
}

function MetricPage({ metric }: { metric: Metric }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const [search, setSearch] = useInPage();
  const dashboards = useOfficialDashboards();
  const { data, error, refetch, isPlaceholderData } = useMetric(metric);
  const trail = useMemo(() => [{ title: t('official.title'), to: paths.official }], [t]);
  const title = data ? titleOf(data.chart) : t('official.title');
  usePage(title, data ? trail : noTrail);
  const gone = error instanceof ApiError && error.status === 404;
  if (gone) return <Navigate to={paths.notFound} replace />;
  const choose = (name: 'resolution' | 'visualizationType' | 'days', value: string | null) => {
    const next = new URLSearchParams(search);
    if (value === null) next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true });
  };
  const days = periods.find((one) => String(one) === search.get('days')) ?? 0;
  const chosen = { days, onDays: (next: number) => choose('days', next === 0 ? null : String(next)), asked: search.get('visualizationType'), onType: (type: VizId) => choose('visualizationType', type), onResolution: (resolution: Resolution) => choose('resolution', resolution) };
  return (
    <div className={css.metric}>
      <Part>
        <MetricList dashboards={dashboards.data} current={metric} />
      </Part>
      <div className={css.main}>
        {error && !data ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : data ? <Loaded metric={metric} data={data} pending={data.pending || isPlaceholderData} title={title} {...chosen} /> : <Skeleton height="5.8rem" />}
        {data && dashboards.data ? <UsedIn dashboards={dashboards.data} visualizationId={metric.visualizationId} /> : null}
      </div>
    </div>
  );
}

interface LoadedProps {
  metric: Metric;
  data: NonNullable<ReturnType<typeof useMetric>['data']>;
  /** Newer rows, or those of another resolution, are on their way. */
  pending: boolean;
  title: string;
  /** The type that the address names. */
  asked: string | null;
  onType: (type: VizId) => void;
  days: number;
  onDays: (days: number) => void;
  onResolution: (resolution: Resolution) => void;
}

function Loaded({ metric, data, pending, title, asked, days, onDays, onType, onResolution }: LoadedProps) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const { chart, viz, source, resolution, resolutions } = data;
  const notes = useQueryNotes(chart.queryId).data;
  const type = typeOf(viz.type, asked);
  const actions = useFigureActions();
  const card = useRef<HTMLDivElement>(null);
  const full = useFullScreen(card);
  const rows = useShownTable(source, viz.type);
  const options = viz.options as { x?: string; y?: string[]; group?: string; format?: 'grouped' };
  const x = useMemo(() => (rows.table ? timeColumn(rows.table, options.x) : -1), [rows.table, options.x]);
  const table = useMemo(() => (rows.table && days > 0 && x >= 0 ? lastDays(rows.table, x, days) : rows.table), [rows.table, days, x]);
  const stats = useMemo(() => {
    const points = table ? pointsOf(table, options) : null;
    return points ? statsOf(points) : null;
  }, [table, options]);
  const types = typesOf(viz.type);
  const about = notes ? titleOf({ title: notes.notes, titleZh: notes.notesZh ?? null }) : '';
  const elsewhere = metric.resolution !== resolution;
  return (
    <>
      <header className={css.metricHead}>
        <div>
          <h1>{title}</h1>
          {about === '' ? null : <p>{about}</p>}
        </div>
        <div className={css.actions}>
          <ShareButton of={{ id: metric.visualizationId, title, visibility: 'public', editable: false }} path={() => metricPath({ ...metric, visualizationType: type })} embed={() => embedMetricPath({ ...metric, visualizationType: type })} onChange={() => undefined} />
          <ButtonLink to={savedQuery(chart.queryId)} icon={<GitBranch size={16} strokeWidth={1.6} />}>
            {t('official.openQuery')}
          </ButtonLink>
          <SaveMenu formats={actions.formats} onSave={actions.save} />
        </div>
      </header>
      <div className={css.controls}>
        {resolutions.length > 1 ? (
          <Segmented<Resolution> aria-label={t('official.resolution')} value={metric.resolution} onChange={onResolution} options={resolutions.map((value) => ({ value, label: t(`official.resolutions.${value}`) }))} />
        ) : null}
        {types.length > 1 ? <Segmented<VizId> aria-label={t('official.type')} value={type} onChange={onType} options={types.map((value) => ({ value, label: t(`viz.type.${value}`) }))} /> : null}
        {pending ? (
          <span role="status">
            <Tag tone="accent">{t('official.pending')}</Tag>
          </span>
        ) : elsewhere ? (
          <Tag tone="warn">{t('official.onlyResolution', { resolution: t(`official.resolutions.${resolution}`) })}</Tag>
        ) : null}
        {x >= 0 ? (
          <Segmented<number> className={css.periods} aria-label={t('official.period')} value={days} onChange={onDays} options={periods.map((value) => ({ value, label: value === 0 ? t('official.all') : t('official.days', { count: value }) }))} />
        ) : null}
        {full.possible ? (
          <Button kind="text" onClick={full.toggle}>
            {t('viz.fullScreen')}
          </Button>
        ) : null}
      </div>
      <div ref={card} className={css.card} data-ready={table !== undefined}>
        <OfficialFigure table={table} cutAt={rows.cutAt} none={source === null && !pending} error={rows.error} retry={rows.retry} type={type} options={optionsOf(viz, type)} title={title} actions={actions.ref} />
        {full.on ? (
          <div className={own.leave}>
            <IconButton label={t('viz.leaveFullScreen')} icon={<Minimize size={16} strokeWidth={1.6} />} onClick={full.toggle} />
          </div>
        ) : null}
        {rows.cutAt === null ? null : <VisitorPrompt until={rows.cutAt.slice(0, 10)} />}
      </div>
      {stats ? (
        <Part of={[stats]}>
          <Stats stats={stats} format={options.format ?? 'grouped'} />
        </Part>
      ) : null}
      <Part>
        <GetSeries metric={metric} />
      </Part>
    </>
  );
}

function SaveMenu({ formats, onSave }: { formats: readonly FigureFormat[]; onSave: (format: FigureFormat) => void }) {
  const { t } = useTranslation();
  return (
    <Menu label={t('viz.save')} className={css.menuButton} disabled={formats.length === 0} items={formats.map((format) => ({ key: format, label: t(`viz.saveAs.${format}`), onSelect: () => onSave(format) }))}>
      <Download size={16} strokeWidth={1.6} aria-hidden />
    </Menu>
  );
}
