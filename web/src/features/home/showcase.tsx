// What there is to look at: charts of the official dashboards, and the dashboards that people like best.
import { useQuery } from '@tanstack/react-query';
import { ChartColumn, LayoutDashboard, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { count } from '@/lib/format';
import { dashboardOf, metricPath, paths } from '@/lib/paths';
import { Avatar } from '@/ui/avatar';
import { Card, Empty, Failed, Skeleton } from '@/ui/parts';
import { Thumbnail } from '@/viz/thumbnail';
import css from './home.module.css';
import own from './showcase.module.css';

const shownCharts = 4;
const shownDashboards = 5;
const staleMs = 5 * 60_000;

type Official = Schemas['OfficialDashboard'];

/** What is good to look at when small, the best first. */
const lively = ['area', 'line', 'bar', 'themeRiver', 'pie', 'scatter'];

/** One chart of each of the first dashboards, preferably one over time. */
function chosen(dashboards: readonly Official[]) {
  return dashboards.flatMap(({ dashboard, charts }) => {
    const chart = lively.flatMap((type) => charts.find(({ visualizationType }) => visualizationType === type) ?? [])[0] ?? charts[0];
    return chart ? [{ dashboard, chart }] : [];
  });
}

export function OfficialCharts() {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const { data, error, refetch } = useQuery({ queryKey: ['home', 'official'], queryFn: ({ signal }) => call('get', '/api/official/dashboards', { signal, quiet: true }), staleTime: staleMs });
  return (
    <Card title={t('home.official')} extra={<Link to={paths.official}>{t('home.allOfficial')}</Link>}>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={own.charts}>
          {data
            ? chosen(data)
                .slice(0, shownCharts)
                .map(({ dashboard, chart }) => (
                  <li key={chart.visualizationId}>
                    <Link to={metricPath({ dashboardId: dashboard.id, visualizationId: chart.visualizationId, visualizationType: chart.visualizationType })} className={own.chart}>
                      <Thumbnail visualizationId={chart.visualizationId} queryId={chart.queryId}><ChartColumn size={22} strokeWidth={1.4} /></Thumbnail>
                      <strong className="ellipsis">{titleOf(chart)}</strong>
                      <small>{titleOf(dashboard)}</small>
                    </Link>
                  </li>
                ))
            : Array.from({ length: shownCharts }, (_, at) => (
                <li key={at} className={own.chart} aria-hidden>
                  <Skeleton height="auto" width="100%" />
                  <strong>{'\u00a0'}</strong>
                  <small>{'\u00a0'}</small>
                </li>
              ))}
        </ul>
      )}
    </Card>
  );
}

export function Trending() {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const { data, error, refetch } = useQuery({
    queryKey: ['home', 'trending'],
    queryFn: ({ signal }) => call('get', '/api/discover/dashboards', { query: { sort: 'favorites', size: shownDashboards }, signal, quiet: true }),
    staleTime: staleMs,
  });
  return (
    <Card title={t('home.trending')} extra={<Link to={paths.discover}>{t('home.discover')}</Link>}>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : data?.items.length === 0 ? (
        <Empty title={t('home.noDashboard')} />
      ) : (
        <ul className={own.trending}>
          {data
            ? data.items.map((card) => (
                <li key={card.id}>
                  <Link to={dashboardOf(card.id)} className={own.trend}>
                    <Thumbnail visualizationId={card.previewId} dashboardId={card.id}><LayoutDashboard size={22} strokeWidth={1.4} /></Thumbnail>
                    <span>
                      <strong className="ellipsis">{titleOf(card)}</strong>
                      <small>
                        <Avatar name={card.userName} picture={card.headPhoto} />
                        <span className="ellipsis">{card.userName}</span>
                        <Star size={13} strokeWidth={1.6} aria-hidden />
                        <span>
                          {count(card.favorites)}
                          <span className="visually-hidden"> {t('common.card.favorites')}</span>
                        </span>
                      </small>
                    </span>
                  </Link>
                </li>
              ))
            : Array.from({ length: shownDashboards }, (_, at) => (
                <li key={at} className={css.waiting}>
                  <Skeleton height="max(0.5rem, 46px)" />
                </li>
              ))}
        </ul>
      )}
    </Card>
  );
}
