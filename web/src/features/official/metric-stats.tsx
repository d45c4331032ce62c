// The strip of numbers under an official chart.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, type NumberFormat } from '@/lib/columns';
import { change } from '@/lib/format';
import type { MetricStats } from './stats';
import css from './official.module.css';

const places = 2;

export function Stats({ stats, format }: { stats: MetricStats; format: NumberFormat }) {
  const { t } = useTranslation();
  const { latest, low, high, median } = stats;
  const write = (value: MetricStats['median']) => formatNumber(value, format, value.scale > places ? places : undefined);
  return (
    <dl className={css.stats}>
      <One name={t('official.stats.latest', { at: latest.label })}>{write(latest.value)}</One>
      <One name={t('official.stats.change')}>{stats.change === null ? '–' : change(stats.change)}</One>
      <One name={t('official.stats.low', { at: low.label })}>{write(low.value)}</One>
      <One name={t('official.stats.high', { at: high.label })}>{write(high.value)}</One>
      <One name={t('official.stats.median')}>{write(median)}</One>
    </dl>
  );
}

function One({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
