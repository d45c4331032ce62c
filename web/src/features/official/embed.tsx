// An official chart in a frame on another site, as visitors see it.
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { useTitles } from '@/i18n/titles';
import { decodeId } from '@/lib/ids';
import { usePage } from '@/lib/page';
import { metricPath, paths } from '@/lib/paths';
import { useShownTable } from '@/viz/use-shown-table';
import { isResolution, useMetric, type Metric } from './api';
import { OfficialFigure } from './chart';
import { optionsOf, typeOf } from './types';
import css from './official.module.css';

export function Component() {
  const [search] = useSearchParams();
  const dashboardId = decodeId(search.get('dashboardId'));
  const visualizationId = decodeId(search.get('visualizationId'));
  const resolution = search.get('resolution');
  if (dashboardId === null || visualizationId === null) return <Navigate to={paths.notFound} replace />;
  return <Framed metric={{ dashboardId, visualizationId, resolution: isResolution(resolution) ? resolution : '1 Day' }} asked={search.get('visualizationType')} />;
}

function Framed({ metric, asked }: { metric: Metric; asked: string | null }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const { data, error, refetch } = useMetric(metric);
  const type = data ? typeOf(data.viz.type, asked) : 'table';
  const rows = useShownTable(data?.source ?? null, type);
  const title = data ? titleOf(data.chart) : t('official.title');
  usePage(title);
  return (
    <main className={css.framed}>
      <header>
        <h1 className="ellipsis">{title}</h1>
        <a href={metricPath({ ...metric, visualizationType: type })} target="_blank" rel="noopener">
          {t('official.openInQuarry')}
        </a>
      </header>
      <div>
        <OfficialFigure table={rows.table} cutAt={rows.cutAt} none={data?.source === null} error={error ?? rows.error} retry={error ? () => void refetch() : rows.retry} type={type} options={data ? optionsOf(data.viz, type) : {}} title={title} />
      </div>
    </main>
  );
}
