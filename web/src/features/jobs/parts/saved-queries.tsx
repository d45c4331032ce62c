/** The person's saved queries: what each is, how it fares, and the way into the editor. Search and page stand in the address. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { readPaging, writePaging, type Paging } from '@/lib/paging';
import { paths, savedQuery } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { Button, ButtonLink } from '@/ui/button';
import { deleteLater, useDoomed } from '@/ui/deletions';
import { useInPage } from '@/ui/in-page';
import { Pages } from '@/ui/pages';
import { Beyond, Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { useSearchText } from '@/ui/search-text';
import table from '@/ui/table.module.css';
import { QUERIES_VIEW } from '../model';
import css from './jobs.module.css';

const longestSearch = 200;

export function SavedQueries() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [address, setAddress] = useInPage();
  const words = address.get('search') ?? '';
  const paging = readPaging(address);
  const place = (search: string, next: Paging) => ({ view: QUERIES_VIEW, ...(search === '' ? {} : { search }), ...writePaging(next) });
  const turn = (next: Paging) => setAddress(place(words, next));
  // A search that is being typed is one step of the history.
  const { text, type } = useSearchText(words, (search) => setAddress(place(search, { ...paging, page: 1 }), { replace: true }));
  const doomed = useDoomed();
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
          maxLength={longestSearch}
          value={text}
          prefix={<Search size={15} strokeWidth={1.6} aria-hidden />}
          placeholder={t('jobs.saved.search')}
          aria-label={t('jobs.saved.search')}
          onChange={({ target }) => type(target.value)}
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
        {found.data && items.length === 0 && paging.page > 1 ? <Beyond onFirst={() => turn({ ...paging, page: 1 })} /> : null}
        {found.data && items.length === 0 && paging.page === 1 ? (
          <Empty title={t(words === '' ? 'jobs.saved.noneTitle' : 'jobs.saved.nothing')} actions={words === '' ? <ButtonLink kind="primary" size="small" to={paths.query}>{t('queries.title')}</ButtonLink> : null}>
            {words === '' ? t('jobs.saved.none') : undefined}
          </Empty>
        ) : null}
      </div>
      <Pages paging={paging} total={found.data?.total ?? 0} onChange={turn} />
    </>
  );
}
