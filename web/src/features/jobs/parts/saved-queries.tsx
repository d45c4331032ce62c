/** The person's saved queries: what each is, how it fares, and the way into the editor. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { paths, savedQuery } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { Button, ButtonLink } from '@/ui/button';
import { deleteLater, useDoomed } from '@/ui/deletions';
import { Pages } from '@/ui/pages';
import { Beyond, Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import table from '@/ui/table.module.css';
import css from './jobs.module.css';

export function SavedQueries() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [search, setSearch] = useState('');
  const [paging, setPaging] = useState({ page: 1, size: 20 });
  const doomed = useDoomed();
  const words = useDeferredValue(search.trim());
  const found = useQuery({
    queryKey: ['creations', 'query', words, paging],
    queryFn: ({ signal }) => call('get', '/api/creation/mine', { query: { kind: 'query', ...(words === '' ? {} : { search: words }), ...paging }, signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const items = found.data?.items.filter(({ id }) => !doomed.has(id)) ?? [];

  return (
    <>
      <div className={css.filters}>
        <Input
          className={css.search}
          type="search"
          allowClear
          value={search}
          prefix={<Search size={15} strokeWidth={1.6} aria-hidden />}
          placeholder={t('jobs.saved.search')}
          aria-label={t('jobs.saved.search')}
          onChange={(event) => {
            setSearch(event.target.value);
            setPaging((now) => ({ ...now, page: 1 }));
          }}
        />
      </div>
      <div className={table.card} data-stale={found.isPlaceholderData}>
        <table className={`${table.table} ${css.table}`} data-rows="high" aria-busy={found.isFetching}>
          <caption className="visually-hidden">{t('jobs.saved.title')}</caption>
          <thead>
            <tr>
              {(['query', 'kind', 'visibility', 'tags', 'lastRun', 'updated'] as const).map((head) => (
                <th key={head} scope="col">
                  {t(`jobs.saved.${head}`)}
                </th>
              ))}
              <th scope="col" data-end>
                {t('jobs.operate')}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.isPending
              ? Array.from({ length: 6 }, (_, index) => (
                  <tr key={index}>
                    <td colSpan={7}>
                      <Skeleton height="1em" width={`${90 - ((index * 17) % 40)}%`} />
                    </td>
                  </tr>
                ))
              : items.map((item) => (
                  <tr key={item.id}>
                    <td className={css.title} title={item.notes}>
                      <Link to={savedQuery(item.id)}>{item.title}</Link>
                    </td>
                    <td data-label={t('jobs.saved.kind')}>{item.queryKind ? <Tag>{item.queryKind}</Tag> : null}</td>
                    <td data-label={t('jobs.saved.visibility')}>{t(`jobs.saved.visibilities.${item.visibility}`)}</td>
                    <td data-label={t('jobs.saved.tags')}>
                      <span className={css.tags}>
                        {item.tags.map((tag) => (
                          <Tag key={tag}>{tag}</Tag>
                        ))}
                      </span>
                    </td>
                    <td data-label={t('jobs.saved.lastRun')}>{item.lastRunTime ? <time>{formatTime(item.lastRunTime)}</time> : <span className={css.soft}>{t('jobs.notYet')}</span>}</td>
                    <td data-label={t('jobs.saved.updated')}>
                      <time>{formatTime(item.updateTime)}</time>
                    </td>
                    <td className={css.operate}>
                      <span>
                        <ButtonLink size="small" to={savedQuery(item.id)}>
                          {t('jobs.open')}
                        </ButtonLink>
                        <Button size="small" kind="danger" onClick={() => deleteLater(client, item, t('jobs.saved.deleted', { title: item.title }), 'creations')}>
                          {t('jobs.saved.delete')}
                        </Button>
                      </span>
                    </td>
                  </tr>
                ))}
          </tbody>
        </table>
        {found.isError && !found.data ? <Failed message={messageOf(found.error)} onRetry={() => void found.refetch()} /> : null}
        {found.data && items.length === 0 && paging.page > 1 ? <Beyond onFirst={() => setPaging({ ...paging, page: 1 })} /> : null}
        {found.data && items.length === 0 && paging.page === 1 ? (
          <Empty title={t('jobs.saved.noneTitle')} actions={words === '' ? <ButtonLink kind="primary" size="small" to={paths.query}>{t('queries.title')}</ButtonLink> : null}>
            {t(words === '' ? 'jobs.saved.none' : 'jobs.saved.nothing')}
          </Empty>
        ) : null}
      </div>
      <Pages paging={paging} total={found.data?.total ?? 0} onChange={setPaging} />
    </>
  );
}
