// Six numbers about the chain, each with the line it comes from.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useChain } from '@/api/chain';
import { messageOf } from '@/api/error';
import { useTimeTexts } from '@/i18n/time';
import { blockName, compact, count, gasPrice, share } from '@/lib/format';
import { Failed, Skeleton } from '@/ui/parts';
import { chainStats } from './chain-stats';
import { Spark } from './spark';
import css from './home.module.css';

const names = ['baseFee', 'fullness', 'perBlock', 'interval', 'blocks', 'transactions'] as const;

export function Stats() {
  const { t } = useTranslation();
  const { elapsed } = useTimeTexts();
  const { data, error, refetch } = useChain();
  if (error && !data) {
    return (
      <section className={css.stats}>
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      </section>
    );
  }
  const stats = data && chainStats(data.recentBlocks);
  if (!data?.head || !stats) {
    return (
      <section className={css.stats} aria-busy={!data}>
        {data ? <p className={css.none}>{t('common.noData')}</p> : names.map((name) => <Stat key={name} name={t(`home.stats.${name}`)} value={<Skeleton height="1.25em" width="60%" />} note={'\u00a0'} />)}
      </section>
    );
  }
  const blocks = data.recentBlocks.length;
  const price = stats.baseFee === null ? null : gasPrice(stats.baseFee);
  const rows = (table: string) => data.tables.find(({ name }) => name === table)?.rows ?? 0;
  return (
    <section className={css.stats} aria-label={t('home.statsLabel')}>
      <Stat name={t('home.stats.baseFee')} value={price?.value ?? '–'} unit={price?.unit} note={t('home.stats.atBlock', { block: blockName(data.head.number) })} points={stats.baseFees} />
      <Stat name={t('home.stats.fullness')} value={share(stats.fullness.value, 1)} note={t('home.stats.target')} points={stats.fullness.points} />
      <Stat name={t('home.stats.perBlock')} value={stats.transactions.value.toFixed(1)} note={t('home.stats.meanOf', { count: blocks })} points={stats.transactions.points} />
      <Stat name={t('home.stats.interval')} value={elapsed(stats.interval.value * 1000)} note={t('home.stats.meanOf', { count: blocks })} points={stats.interval.points} />
      <Stat name={t('home.stats.blocks')} value={count(rows('blocks'))} note={t('home.stats.inLake')} />
      <Stat name={t('home.stats.transactions')} value={compact(rows('transactions'))} note={t('home.stats.inLake')} />
    </section>
  );
}

interface StatProps {
  name: string;
  value: ReactNode;
  unit?: string;
  note: ReactNode;
  points?: number[];
}

function Stat({ name, value, unit, note, points }: StatProps) {
  return (
    <div className={css.stat}>
      <h2>{name}</h2>
      <p className={css.value}>
        {value} {unit && <small>{unit}</small>}
      </p>
      <p className={css.note}>{note}</p>
      {points && <Spark points={points} />}
    </div>
  );
}
