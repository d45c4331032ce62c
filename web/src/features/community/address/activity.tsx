// Transactions per day, sent above the line and received below it.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { Empty } from '@/ui/parts';
import { bars } from './model';
import css from './address.module.css';

const size = { width: 900, half: 60 };

export function Activity({ days }: { days: Schemas['AddressDay'][] }) {
  const { t } = useTranslation();
  if (days.length === 0) return <Empty title={t('common.noData')} />;
  const drawn = bars(days);
  const step = size.width / drawn.length;
  const first = drawn[0]?.day ?? '';
  const last = drawn.at(-1)?.day ?? '';
  return (
    <figure className={css.activity}>
      <figcaption>
        <span data-part="sent">{t('community.address.sentCount')}</span>
        <span data-part="received">{t('community.address.receivedCount')}</span>
      </figcaption>
      <svg viewBox={`0 0 ${size.width} ${2 * size.half}`} preserveAspectRatio="none" role="img" aria-label={t('community.address.activityLabel', { first, last })}>
        {drawn.map(({ day, sent, received, sentShare, receivedShare }, at) => (
          <g key={day}>
            <title>{t('community.address.day', { day, sent, received })}</title>
            <rect x={at * step} y={0} width={step} height={2 * size.half} fill="transparent" />
            <rect className={css.sent} x={at * step} y={size.half * (1 - sentShare)} width={step * 0.8} height={size.half * sentShare} />
            <rect className={css.received} x={at * step} y={size.half} width={step * 0.8} height={size.half * receivedShare} />
          </g>
        ))}
      </svg>
      <p className={css.span}>
        <span>{first}</span>
        <span>{last}</span>
      </p>
    </figure>
  );
}
