// Transactions per day, sent above the line and received below it.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { Empty } from '@/ui/parts';
import { bars } from './model';
import css from './address.module.css';

const size = { width: 900, height: 120 };

export function Activity({ days }: { days: Schemas['AddressDay'][] }) {
  const { t } = useTranslation();
  if (days.length === 0) return <Empty title={t('common.noData')} />;
  const drawn = bars(days);
  const step = size.width / drawn.length;
  // Both directions share one scale, and the line between them leaves each the room that its highest bar needs.
  const above = Math.max(...drawn.map(({ sentShare }) => sentShare));
  const below = Math.max(...drawn.map(({ receivedShare }) => receivedShare));
  const unit = size.height / (above + below || 1);
  const zero = above * unit;
  const first = drawn[0]?.day ?? '';
  const last = drawn.at(-1)?.day ?? '';
  return (
    <figure className={css.activity}>
      <figcaption>
        <span data-part="sent">{t('community.address.sentCount')}</span>
        <span data-part="received">{t('community.address.receivedCount')}</span>
      </figcaption>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" role="img" aria-label={t('community.address.activityLabel', { first, last })}>
        {drawn.map(({ day, sent, received, sentShare, receivedShare }, at) => (
          <g key={day}>
            <title>{t('community.address.day', { day, sent, received })}</title>
            <rect x={at * step} y={0} width={step} height={size.height} fill="transparent" />
            <rect className={css.sent} x={at * step} y={zero - unit * sentShare} width={step * 0.8} height={unit * sentShare} />
            <rect className={css.received} x={at * step} y={zero} width={step * 0.8} height={unit * receivedShare} />
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
