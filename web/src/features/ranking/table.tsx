// The rows: each amount with a bar against the largest, and its change.
import { ArrowDown, ArrowUp, SquareTerminal } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { count, decimal } from '@/lib/format';
import { queryWithText } from '@/lib/query-link';
import { ButtonLink } from '@/ui/button';
import { Change } from './change';
import { amountOf, changeOf, dailyQuery, measures, percentOf, sumOf, type DappType, type Measure, type Ranked, type View } from './model';
import { colourOf } from './types-bar';
import css from './ranking.module.css';

interface Props {
  rows: readonly Ranked[];
  /** The rows are those of the view before. */
  stale: boolean;
  view: View;
  onSort: (next: Partial<View>) => void;
}

export function RankingTable({ rows, stale, view, onSort }: Props) {
  const { t } = useTranslation();
  const most = (measure: Measure) => rows.reduce((most, row) => (amountOf(row, measure) > most ? amountOf(row, measure) : most), 0n);
  const largest = { users: most('users'), transactions: most('transactions'), volume: most('volume') };
  const whole = sumOf(rows, view.measure);
  const head = (measure: Measure, byChange: boolean) => {
    const here = view.measure === measure && view.byChange === byChange;
    const Arrow = view.ascending ? ArrowUp : ArrowDown;
    return (
      <th key={`${measure} ${byChange}`} scope="col" className={byChange ? css.changes : css.amount} aria-sort={here ? (view.ascending ? 'ascending' : 'descending') : undefined}>
        <button type="button" onClick={() => onSort({ measure, byChange, ascending: here && !view.ascending })}>
          {byChange ? t('ranking.change') : t(`ranking.measures.${measure}`)}
          {byChange && <span className="visually-hidden"> {t(`ranking.measures.${measure}`)}</span>}
          {here && <Arrow size={13} strokeWidth={2} aria-hidden />}
        </button>
      </th>
    );
  };
  return (
    // The table can be wider than a small screen: it takes the focus to be scrolled by keys.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.scroll} data-stale={stale} aria-busy={stale} tabIndex={0} role="region" aria-label={t('ranking.title')}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col" className={css.rank}>
              {t('ranking.rank')}
            </th>
            <th scope="col">{t('ranking.dapp')}</th>
            {measures.flatMap((measure) => [head(measure, false), head(measure, true)])}
            {view.measure !== 'users' && (
              <th scope="col" className={css.amount}>
                {t('ranking.share')}
              </th>
            )}
            <th scope="col">
              <span className="visually-hidden">{t('ranking.query')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td className={css.rank}>{row.rank}</td>
              <th scope="row">
                <strong>{row.name}</strong>
                <span className={css.kind}>
                  <i style={{ background: colourOf(row.dappType) }} aria-hidden />
                  {t(`ranking.types.${row.dappType as DappType}`)} · {t('ranking.contracts', { count: row.contracts })}
                </span>
              </th>
              {measures.flatMap((measure) => [
                <td key={measure} className={css.amount} title={measure === 'volume' ? t('ranking.wei', { value: count(row.volume) }) : undefined}>
                  {measure === 'volume' ? `${decimal(BigInt(row.volume), 18, 4)} ETH` : count(row[measure])}
                  <span className={css.meter} aria-hidden>
                    <span style={{ width: `${percentOf(amountOf(row, measure), largest[measure])}%`, background: colourOf(row.dappType) }} />
                  </span>
                </td>,
                <td key={`${measure} change`} className={css.changes}>
                  <Change percent={changeOf(row, measure)} fresh={amountOf(row, measure) > 0n} />
                </td>,
              ])}
              {view.measure !== 'users' && <td className={css.amount}>{`${percentOf(amountOf(row, view.measure), whole).toFixed(2)}%`}</td>}
              <td>
                <ButtonLink size="small" kind="text" to={queryWithText('SQL', dailyQuery(row.name))} icon={<SquareTerminal size={15} strokeWidth={1.6} aria-hidden />}>
                  <span className="visually-hidden">{t('ranking.queryOf', { name: row.name })}</span>
                </ButtonLink>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
