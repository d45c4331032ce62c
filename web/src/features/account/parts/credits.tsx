// The credits that the person got, one line an entry.
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { cardSize, readPaging, turned, type Paging } from '@/lib/paging';
import { formatTime } from '@/lib/time';
import { useInPage } from '@/ui/in-page';
import { Pages } from '@/ui/pages';
import { Beyond, Card, Empty, Failed, Skeleton } from '@/ui/parts';
import { useCredits } from '../api';
import css from '../account.module.css';

/** What the list is called in the address. */
const part = 'credits';
const rules = ['favourite', 'fork', 'dashboard', 'manual'] as const;

export function Credits() {
  const { t } = useTranslation();
  const [address, setAddress] = useInPage();
  const paging = readPaging(address, cardSize, part);
  const turn = (next: Paging) => setAddress(turned(address, next, cardSize, part));
  const { data, error, refetch } = useCredits(paging);
  const nameOf = (key: string) => {
    const rule = rules.find((one) => one === key);
    return rule ? t(`account.credits.rules.${rule}`) : key;
  };
  return (
    <Card title={t('account.credits.title')}>
      <p className={css.lead}>{t('account.credits.text')}</p>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : data?.items.length === 0 && data.total > 0 ? (
        <Beyond onFirst={() => turn({ ...paging, page: 1 })} />
      ) : data?.items.length === 0 ? (
        <Empty title={t('common.noData')}>{t('account.credits.none')}</Empty>
      ) : (
        <ul className={css.credits} aria-busy={!data}>
          {data?.items.map((entry) => (
            <li key={entry.id}>
              <span>
                {nameOf(entry.ruleKey)}
                {[entry.title, entry.note].some(Boolean) && <small>{[entry.title, entry.note].filter(Boolean).join(' · ')}</small>}
              </span>
              <time>{t('shell.blockTime', { time: formatTime(entry.createdAt) })}</time>
              <b>{entry.points < 0 ? `−${count(-entry.points)}` : `+${count(entry.points)}`}</b>
            </li>
          )) ?? (
            <li>
              <Skeleton height="1em" width="50%" />
            </li>
          )}
        </ul>
      )}
      <div className={css.pages}>
        <Pages paging={paging} total={data?.total ?? 0} onChange={turn} />
      </div>
    </Card>
  );
}
