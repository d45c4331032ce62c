// What a key was used for: requests of each of the last days, the refused ones marked.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { useNow } from '@/lib/now';
import { dayOf } from '@/lib/time';
import { Failed, Skeleton } from '@/ui/parts';
import { byDay } from './usage-days';
import css from '../account.module.css';

const DAYS = 30;

export function KeyUsage({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation();
  const now = useNow();
  const { data, error, refetch } = useQuery({ queryKey: ['api key usage', id], queryFn: ({ signal }) => call('get', '/api/user/api-key/usage/{id}', { path: { id }, query: { days: DAYS }, signal, quiet: true }) });
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height="max(0.96rem, 84px)" width="100%" />;
  const days = byDay(data.days, now, DAYS);
  const most = Math.max(1, ...days.map(({ requests }) => requests));
  const sum = (of: 'requests' | 'refused') => days.reduce((total, day) => total + day[of], 0);
  const about = t('account.keys.usageOf', { name, count: sum('requests'), requests: count(sum('requests')), refused: count(sum('refused')) });
  return (
    <figure className={css.usage}>
      <div className={css.bars} role="img" aria-label={about}>
        {days.map(({ day, requests, refused }) => (
          <span key={day} title={t('account.keys.usageDay', { count: requests, day: dayOf(day), requests: count(requests), refused: count(refused) })}>
            <i style={{ height: `${(100 * refused) / most}%` }} data-refused />
            <i style={{ height: `${(100 * (requests - refused)) / most}%` }} />
          </span>
        ))}
      </div>
      <figcaption>
        <span>{dayOf(days[0]?.day ?? now)}</span>
        <span>{about}</span>
        <span>{dayOf(days.at(-1)?.day ?? now)}</span>
      </figcaption>
    </figure>
  );
}
