// A chart of an official dashboard with its stored rows: nothing is run when somebody reads the manual.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '@/api/call';
import { useChain } from '@/api/chain';
import { messageOf } from '@/api/error';
import { useLanguage } from '@/i18n';
import type { Cell } from '@/lib/columns';
import { metricPath } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { vizType } from '@/viz/registry';
import type { LiveProps } from './blocks';
import css from './chart.module.css';

/** `live chart DASHBOARD VISUALIZATION` */
export function LiveChart({ args: [dashboardId = '', visualizationId = ''] }: LiveProps) {
  return <OfficialChart dashboardId={dashboardId} visualizationId={visualizationId} />;
}

export function OfficialChart({ dashboardId, visualizationId }: { dashboardId: string; visualizationId: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, error, refetch } = useQuery({
    queryKey: ['docs', 'chart', dashboardId, visualizationId],
    queryFn: ({ signal }) => call('get', '/api/official/visualization', { query: { dashboardId, visualizationId, resolution: '1 Day', limit: 1000 }, signal, quiet: true }),
    staleTime: 60_000,
  });
  const sample = useChain().data?.origin === 'sample';
  const result = data?.result;
  const table = useMemo(() => (result ? { columns: result.columns, rows: result.rows as Cell[][], total: result.total } : undefined), [result]);
  const title = data ? (language === 'zh' && data.chart.titleZh ? data.chart.titleZh : data.chart.title) : '';
  const View = data ? vizType(data.viz.type).View : undefined;
  return (
    <section className={css.card} aria-label={title} data-drawn={table !== undefined}>
      <h3>{data ? <Link to={metricPath({ dashboardId, visualizationId, visualizationType: data.viz.type })}>{title}</Link> : null}</h3>
      <div className={css.chart}>
        {error && !data ? (
          <Failed message={messageOf(error)} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton height="100%" width="100%" />
        ) : table && View ? (
          <View table={table} stored={(data.viz as { options?: unknown }).options} title={title} />
        ) : (
          <Empty title={t('common.noData')} />
        )}
      </div>
      {result ? (
        <p className={css.note}>
          {t('docs.storedResult', { time: formatTime(result.shown.finishTime) })}
          {sample ? ` ${t('docs.sampleChain')}` : null}
          {result.cutAt ? ` ${t('docs.cutAt', { time: result.cutAt })}` : null}
        </p>
      ) : null}
    </section>
  );
}
