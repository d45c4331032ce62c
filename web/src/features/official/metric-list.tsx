// All official metrics, by dashboard, to go from one to the next.
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useTitles } from '@/i18n/titles';
import { metricPath } from '@/lib/paths';
import { useWidth } from '@/lib/width';
import type { Metric, OfficialDashboard } from './api';
import css from './official.module.css';

export function MetricList({ dashboards, current }: { dashboards: readonly OfficialDashboard[] | undefined; current: Metric }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const narrow = useWidth() !== 'wide';
  const [search, setSearch] = useState('');
  const total = dashboards?.reduce((sum, { charts }) => sum + charts.length, 0);
  // How many there are is not said before it is known.
  const find = total === undefined ? t('official.list') : t('official.find', { count: total });
  const found = (dashboards ?? [])
    .map(({ dashboard, charts }) => ({ dashboard, charts: charts.filter((chart) => titleOf(chart).toLowerCase().includes(search.trim().toLowerCase())) }))
    .filter(({ charts }) => charts.length > 0);
  const list = (
    <>
      <label className={css.search}>
        <Search size={15} strokeWidth={1.6} aria-hidden />
        <input type="search" aria-label={find} placeholder={find} value={search} onChange={(event) => setSearch(event.target.value)} />
      </label>
      {found.length === 0 && search !== '' ? <p className={css.nothing}>{t('official.nothing')}</p> : null}
      {found.map(({ dashboard, charts }) => (
        <section key={dashboard.id} aria-labelledby={`group-${dashboard.id}`}>
          <h2 id={`group-${dashboard.id}`}>
            {titleOf(dashboard)} <span>{charts.length}</span>
          </h2>
          <ul>
            {charts.map((chart) => {
              const here = chart.visualizationId === current.visualizationId && dashboard.id === current.dashboardId;
              return (
                <li key={chart.visualizationId}>
                  <NavLink to={metricPath({ dashboardId: dashboard.id, ...chart, resolution: current.resolution })} data-here={here} aria-current={here ? 'page' : undefined}>
                    {titleOf(chart)}
                  </NavLink>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </>
  );
  if (narrow) {
    return (
      <details className={css.folded}>
        <summary>{total === undefined ? t('official.list') : t('official.metrics', { count: total })}</summary>
        <nav aria-label={t('official.list')}>{list}</nav>
      </details>
    );
  }
  return (
    <nav className={css.list} aria-label={t('official.list')}>
      {list}
    </nav>
  );
}
