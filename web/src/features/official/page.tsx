// The official dashboards: every one with its charts, small and live.
import { ArrowRight, LayoutDashboard } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { useNear } from '@/lib/near';
import { usePage } from '@/lib/page';
import { dashboardOf, metricPath } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { ButtonLink } from '@/ui/button';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { useShownTable } from '@/viz/use-shown-table';
import { useMetric, useOfficialDashboards, type OfficialChart, type OfficialDashboard } from './api';
import { OfficialFigure } from './chart';
import { VisitorPrompt } from './prompt';
import css from './official.module.css';

export function Component() {
  const { t } = useTranslation();
  usePage(t('official.title'));
  const visitor = useSession().token === null;
  const { data, error, refetch } = useOfficialDashboards();
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('official.title')}</h1>
        <p>{t('official.lead')}</p>
      </header>
      {visitor ? <VisitorPrompt /> : null}
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className={css.charts} role="status" aria-label={t('common.loading')}>
          {Array.from({ length: 6 }, (_, at) => (
            <Skeleton key={at} height="2.6rem" />
          ))}
        </div>
      ) : data.length === 0 ? (
        <Empty title={t('official.none')} />
      ) : (
        data.map((one) => <Section key={one.dashboard.id} official={one} />)
      )}
    </div>
  );
}

function Section({ official: { dashboard, charts } }: { official: OfficialDashboard }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  return (
    <section className={css.section} aria-labelledby={`official-${dashboard.id}`}>
      <header>
        <div>
          <h2 id={`official-${dashboard.id}`}>{titleOf(dashboard)}</h2>
          <p>{t('official.charts', { count: charts.length })}</p>
        </div>
        <ButtonLink size="small" to={dashboardOf(dashboard.id)} icon={<LayoutDashboard size={15} strokeWidth={1.6} />}>
          {t('official.openDashboard')}
        </ButtonLink>
      </header>
      <ul className={css.charts}>
        {charts.map((chart) => (
          <SmallChart key={chart.visualizationId} chart={chart} dashboardId={dashboard.id} />
        ))}
      </ul>
    </section>
  );
}

function SmallChart({ chart, dashboardId }: { chart: OfficialChart; dashboardId: string }) {
  const titleOf = useTitles();
  const place = useRef<HTMLLIElement>(null);
  const near = useNear(place);
  const { data, error, refetch } = useMetric({ dashboardId, visualizationId: chart.visualizationId, resolution: '1 Day' }, near);
  const type = data?.viz.type ?? 'table';
  const rows = useShownTable(data?.source ?? null, type);
  const title = titleOf(chart);
  return (
    <li ref={place} className={css.small} data-chart={chart.visualizationId}>
      <h3>
        <Link to={metricPath({ dashboardId, ...chart })}>
          <span className="ellipsis">{title}</span>
          <ArrowRight size={15} strokeWidth={1.6} aria-hidden />
        </Link>
      </h3>
      <div className={css.smallBody}>
        <OfficialFigure small table={rows.table} cutAt={rows.cutAt} none={data?.source === null} error={error ?? rows.error} retry={error ? () => void refetch() : rows.retry} type={type} options={data?.viz.options ?? {}} title={title} />
      </div>
    </li>
  );
}
