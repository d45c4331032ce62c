/** Every chart type with real data: what each is for, the query behind it, and the chart. */
import { SquareArrowOutUpRight } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loginPath } from '@/lib/guard';
import { useNear } from '@/lib/near';
import { usePage } from '@/lib/page';
import { queryOfJob } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { ButtonLink } from '@/ui/button';
import { Card, Empty, Failed, Skeleton } from '@/ui/parts';
import { vizType } from '@/viz/registry';
import { examples, type Example } from './examples';
import { useExample } from './use-example';
import css from './gallery.module.css';

export function Component() {
  const { t } = useTranslation();
  usePage(t('gallery.title'));
  const location = useLocation();
  const visitor = useSession().token === null;
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1 tabIndex={-1}>{t('gallery.title')}</h1>
        <p>{t('gallery.lead', { count: examples.length })}</p>
        {visitor ? (
          <p className={css.visitor}>
            {t('gallery.visitor')} <ButtonLink size="small" to={loginPath(location)}>{t('gallery.logIn')}</ButtonLink>
          </p>
        ) : null}
      </header>
      <div className={css.grid}>
        {examples.map((example) => (
          <ExampleCard key={example.chart.type} example={example} visitor={visitor} />
        ))}
      </div>
    </div>
  );
}

function ExampleCard({ example, visitor }: { example: Example; visitor: boolean }) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const near = useNear(place);
  const { type, options } = example.chart;
  const { View, icon: Icon } = vizType(type);
  const name = t(`viz.type.${type}`);
  const { job, table, error, retry } = useExample(example, t('gallery.run', { type: name }), near && !visitor);
  return (
    <div ref={place} id={type} className={css.place} data-type={type} data-drawn={table !== undefined}>
      <Card
        className={css.card}
        title={
          <>
            <Icon size={17} strokeWidth={1.6} aria-hidden /> {name}
          </>
        }
        extra={
          job ? (
            <ButtonLink kind="text" size="small" to={queryOfJob(job.jobId)} icon={<SquareArrowOutUpRight size={15} strokeWidth={1.6} aria-hidden />}>
              {t('gallery.openQuery')}
            </ButtonLink>
          ) : undefined
        }
      >
        <p className={css.use}>{t(`gallery.use.${type}`)}</p>
        <div className={css.chart}>
          {visitor ? (
            // It scrolls, so the keyboard has to be able to reach it.
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            <pre className={css.sql} tabIndex={0} aria-label={t('gallery.query', { type: name })}>
              {example.sql}
            </pre>
          ) : error !== null ? (
            <Failed message={error} onRetry={retry} />
          ) : table === undefined ? (
            <Skeleton height="100%" width="100%" />
          ) : table.rows.length === 0 ? (
            <Empty title={t('common.noData')}>{t('gallery.noRows')}</Empty>
          ) : (
            <View table={table} stored={options} title={name} />
          )}
        </div>
      </Card>
    </div>
  );
}
