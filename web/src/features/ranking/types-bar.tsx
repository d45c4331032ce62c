// What each type has of the whole, as one bar; the legend below it is the filter.
import { useTranslation } from 'react-i18next';
import { count, ether } from '@/lib/format';
import { byType, types, type DappType, type Ranked, type View } from './model';
import css from './ranking.module.css';

interface Props {
  rows: readonly Ranked[] | undefined;
  stale: boolean;
  view: View;
  onType: (type: DappType | null) => void;
}

/** Colours of the theme, one a type. */
export const colourOf = (type: string): string => `var(--c${types.findIndex((one) => one === type) + 1 || 9})`;

export function TypesBar({ rows, stale, view, onType }: Props) {
  const { t } = useTranslation();
  // People who use two DApps would count twice in a sum of users.
  const measure = view.measure === 'volume' ? 'volume' : 'transactions';
  const sums = byType(rows ?? [], measure);
  const told = (amount: bigint) => (measure === 'volume' ? ether(amount) : count(amount));
  return (
    <section className={css.types} data-stale={stale} aria-label={t('ranking.byType')}>
      <h2>{t(`ranking.shareOf.${measure}`)}</h2>
      <div className={css.bar} aria-hidden>
        {sums.map(({ type, percent }) => (percent > 0 ? <span key={type} style={{ flexGrow: percent, background: colourOf(type) }} data-off={view.type !== null && view.type !== type} /> : null))}
      </div>
      <ul>
        <li>
          <button type="button" aria-pressed={view.type === null} onClick={() => onType(null)}>
            {t('ranking.all')} <small>{rows ? count(rows.length) : ''}</small>
          </button>
        </li>
        {sums.map(({ type, dapps, amount, percent }) => (
          <li key={type}>
            <button type="button" aria-pressed={view.type === type} title={`${told(amount)} · ${t('ranking.dapps', { count: dapps })}`} onClick={() => onType(view.type === type ? null : (type as DappType))}>
              <i style={{ background: colourOf(type) }} aria-hidden />
              {t(`ranking.types.${type as DappType}`)} <small>{`${percent.toFixed(percent >= 10 || percent === 0 ? 0 : 1)}%`}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
