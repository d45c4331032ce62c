// A list of rows with everything around it: waiting, failed, empty, pages.
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { messageOf } from '@/api/error';
import type { Paging } from '@/lib/paging';
import { rows, WaitingRows } from '@/ui/creation-row';
import { lazyPart, Part } from '@/ui/part';
import { Beyond, Failed } from '@/ui/parts';
import css from './loaded-list.module.css';

/** Drawn after the rows, which people look at first: it takes as long as all of them. */
const Pages = lazyPart(() => import('@/ui/pages').then(({ Pages: component }) => ({ default: component })));

interface LoadedListProps<T> {
  label: string;
  query: UseQueryResult<{ items: T[]; total: number }>;
  row: (item: T) => ReactNode;
  /** Names of the columns. */
  head?: ReactNode;
  /** Stands in place of a list without rows. */
  nothing: () => ReactNode;
  paging: Paging;
  onPage: (paging: Paging) => void;
}

export function LoadedList<T>({ label, query, row, head, nothing, paging, onPage }: LoadedListProps<T>) {
  const { data, error, isPending, isPlaceholderData, refetch } = query;
  return (
    <section aria-label={label} className={css.list}>
      <h2 className="visually-hidden">{label}</h2>
      {error && !data ? (
        <div className={css.card}>
          <Failed message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      ) : data?.items.length === 0 ? (
        <div className={css.card}>{data.total > 0 ? <Beyond onFirst={() => onPage({ ...paging, page: 1 })} /> : nothing()}</div>
      ) : (
        <ul className={rows} aria-busy={isPending || isPlaceholderData}>
          {head}
          {data ? data.items.map((item, at) => <Fragment key={at}>{row(item)}</Fragment>) : <WaitingRows count={paging.size} />}
        </ul>
      )}
      <Part>
        <Pages paging={paging} total={data?.total ?? 0} onChange={onPage} />
      </Part>
    </section>
  );
}
