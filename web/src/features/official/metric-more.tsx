// Under an official chart: the call that answers its rows, and the dashboards that show it.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useTitles } from '@/i18n/titles';
import { count } from '@/lib/format';
import { dashboardOf } from '@/lib/paths';
import { Card, CopyButton } from '@/ui/parts';
import type { Metric, OfficialDashboard } from './api';
import css from './official.module.css';

export function GetSeries({ metric }: { metric: Metric }) {
  const { t } = useTranslation();
  const search = new URLSearchParams({ dashboardId: metric.dashboardId, visualizationId: metric.visualizationId, resolution: metric.resolution });
  const text = `curl "${location.origin}/api/official/visualization?${search.toString()}"`;
  return (
    <Card title={t('official.series')} extra={<CopyButton text={text} />} className={css.more}>
      <pre>
        <code>{text}</code>
      </pre>
      <p>{t('official.seriesHint')}</p>
    </Card>
  );
}

export function UsedIn({ dashboards, visualizationId }: { dashboards: readonly OfficialDashboard[]; visualizationId: string }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const found = dashboards.filter(({ charts }) => charts.some((chart) => chart.visualizationId === visualizationId));
  return (
    <Card title={t('official.usedIn')} className={css.more}>
      <ul className={css.used}>
        {found.map(({ dashboard }) => (
          <li key={dashboard.id}>
            <Link to={dashboardOf(dashboard.id)}>{titleOf(dashboard)}</Link>
            <span>{t('official.favorites', { count: dashboard.favorites, favorites: count(dashboard.favorites) })}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
