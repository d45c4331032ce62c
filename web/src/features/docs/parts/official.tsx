// The official dashboards there are, with what each shows.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { useLanguage } from '@/i18n';
import { dashboardOf } from '@/lib/paths';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import css from '../docs.module.css';

export function OfficialList() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, error, refetch } = useQuery({
    queryKey: ['docs', 'official'],
    queryFn: ({ signal }) => call('get', '/api/official/dashboards', { signal, quiet: true }),
    staleTime: 60_000,
  });
  const named = (title: string, titleZh: string | null | undefined) => (language === 'zh' && titleZh ? titleZh : title);
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height="2rem" width="100%" />;
  if (data.length === 0) return <Empty title={t('common.noData')} />;
  return (
    // It scrolls, so the keyboard has to be able to reach it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.scrolls} tabIndex={0} role="region" aria-label={t('docs.officialDashboards')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('docs.dashboard')}</th>
            <th scope="col">{t('docs.charts')}</th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ dashboard, charts }) => (
            <tr key={dashboard.id}>
              <th scope="row">
                <Link to={dashboardOf(dashboard.id)}>{named(dashboard.title, dashboard.titleZh)}</Link>
              </th>
              <td>{charts.map((chart) => named(chart.title, chart.titleZh)).join(t('docs.comma'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
