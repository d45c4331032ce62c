// A change against the period before: its sign says it, colour only repeats it.
import { useTranslation } from 'react-i18next';
import css from './ranking.module.css';

/** Per cent with its sign: 12.5 → +12.5%. */
export function changeText(percent: number): string {
  const digits = Math.abs(percent).toFixed(Math.abs(percent) >= 100 ? 0 : 1);
  if (Number(digits) === 0) return '0.0%';
  return `${percent < 0 ? '−' : '+'}${digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}%`;
}

export function Change({ percent, fresh }: { percent: number | null; fresh: boolean }) {
  const { t } = useTranslation();
  if (percent === null) return <span className={css.change}>{fresh ? t('ranking.fresh') : '–'}</span>;
  return (
    <span className={css.change} data-way={percent > 0 ? 'up' : percent < 0 ? 'down' : undefined} title={`${percent}%`}>
      {changeText(percent)}
    </span>
  );
}
