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
  const whole = (value: MetricStats['median']) => formatNumber(value, format === 'compact' ? 'grouped' : format);
  return (
    <dl className={css.stats}>
      <One name={t('official.stats.latest', { at: latest.label })} exact={whole(latest.value)}>
        {write(latest.value)}
      </One>
      <One name={t('official.stats.change')}>{stats.change === null ? '–' : change(stats.change)}</One>
      <One name={t('official.stats.low', { at: low.label })} exact={whole(low.value)}>
        {write(low.value)}
      </One>
      <One name={t('official.stats.high', { at: high.label })} exact={whole(high.value)}>
        {write(high.value)}
      </One>
      <One name={t('official.stats.median')} exact={whole(median)}>
        {write(median)}
      </One>
    </dl>
  );
}

/** `exact`: every digit, for who points at it. */
function One({ name, exact, children }: { name: string; exact?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={exact}>{children}</dd>
    </div>
  );
}
