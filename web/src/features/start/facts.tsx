// Four numbers about the chain in the lake.
import { useTranslation } from 'react-i18next';
import { useChain } from '@/api/chain';
import { compact, count } from '@/lib/format';
import { dayOf } from '@/lib/time';
import css from './start.module.css';

export function Facts() {
  const { t } = useTranslation();
  const { data } = useChain();
  const rows = (table: string) => data?.tables.find(({ name }) => name === table)?.rows;
  const blocks = rows('blocks');
  const facts = [
    { name: t('start.facts.blocks'), value: blocks === undefined ? undefined : count(blocks) },
    { name: t('start.facts.transactions'), value: short(rows('transactions')) },
    { name: t('start.facts.logs'), value: short(rows('logs')) },
    { name: t('start.facts.asOf'), value: data?.dataAsOf ? dayOf(data.dataAsOf) : undefined },
  ];
  return (
    <dl className={css.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dd>{value ?? '–'}</dd>
          <dt>{name}</dt>
        </div>
      ))}
    </dl>
  );
}

function short(value: number | undefined): string | undefined {
  return value === undefined ? undefined : compact(value);
}
