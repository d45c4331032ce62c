// The tables that can be queried, and how large they are.
import { Table2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useChain } from '@/api/chain';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Card, Empty, Failed, Skeleton } from '@/ui/parts';
import css from './home.module.css';

export function Lake() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useChain();
  const tables = [...(data?.tables ?? [])].sort((a, b) => b.rows - a.rows);
  const largest = Math.max(1, ...tables.map((table) => table.rows));
  return (
    <Card title={t('home.lake')} extra={<span className={`${css.note} ${css.asOf}`}>{data?.dataAsOf && t('shell.dataAsOf', { time: formatTime(data.dataAsOf) })}</span>}>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : isPending ? (
        <div className={css.waiting}>
          {Array.from({ length: 5 }, (_, index) => (
            <Skeleton key={index} height="max(0.3rem, 28px)" />
          ))}
        </div>
      ) : tables.length === 0 ? (
        <Empty title={t('common.noData')}>{t('home.emptyLake')}</Empty>
      ) : (
        <ul className={css.tables}>
          {tables.map((table) => (
            <li key={table.name}>
              <Table2 size={16} strokeWidth={1.6} />
              <code>{table.name}</code>
              <span className={css.tableBar} aria-hidden>
                <i style={{ width: `${(table.rows / largest) * 100}%` }} />
              </span>
              <span className={css.tableRows}>{t('home.rows', { count: table.rows, rows: count(table.rows) })}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
