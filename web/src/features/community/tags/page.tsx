// Tags: those that many things carry, the things of one tag, and the tags that the person gave.
import { Segmented } from 'antd';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { usePage } from '@/lib/page';
import { paths, tagOf } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { useInPage } from '@/ui/in-page';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { Tabs } from '@/ui/tabs';
import { Lists } from '../discover/lists';
import { ranges, readView, tabs, writeView, type Range, type View } from '../discover/model';
import page from '../parts/page.module.css';
import { MyTags } from './my-tags';
import { TaggedPeople } from './tagged-people';
import css from './tags.module.css';

export function Component() {
  const [address] = useSearchParams();
  const tag = address.get('tag')?.trim() ?? '';
  return tag === '' ? <AllTags /> : <OneTag key={tag} tag={tag} />;
}

/** How many tags are shown as trending. */
const most = 60;

/** The address with another span of time; the page of one's own tags stays. */
function withRange(address: URLSearchParams, range: Range): URLSearchParams {
  const next = new URLSearchParams(address);
  if (range === 'all') next.delete('range');
  else next.set('range', range);
  return next;
}

function AllTags() {
  const { t } = useTranslation();
  usePage(t('shell.nav.tags'));
  const [address, setAddress] = useInPage();
  const range: Range = ranges.find((one) => one === address.get('range')) ?? 'all';
  const member = useSession().token !== null;
  const { data, error, refetch } = useQuery({ queryKey: ['tags', 'trending', range, most], queryFn: ({ signal }) => call('get', '/api/tag/trending', { query: { range, size: most }, signal, quiet: true }) });
  return (
    <div className={page.page}>
      <h1>{t('shell.nav.tags')}</h1>
      <section className={`${page.card ?? ''} ${css.trending ?? ''}`}>
        <header>
          <h2>{t('community.trendingTags')}</h2>
          <Segmented<Range> aria-label={t('community.discover.range')} value={range} onChange={(next) => setAddress(withRange(address, next))} options={ranges.map((one) => ({ value: one, label: t(`community.ranges.${one}`) }))} />
        </header>
        {error && !data ? (
          <Failed message={messageOf(error)} onRetry={() => void refetch()} />
        ) : data?.length === 0 ? (
          <Empty title={t('common.noData')}>{t('community.tag.noneInRange')}</Empty>
        ) : (
          <ul className={css.cloud}>
            {data?.map(({ tag, count: uses }) => (
              <li key={tag}>
                <Link to={tagOf(tag)}>
                  {tag} <span>{count(uses)}</span>
                </Link>
              </li>
            )) ?? Array.from({ length: 24 }, (_, at) => <Skeleton key={at} height="30px" width={`${64 + ((at * 23) % 60)}px`} />)}
          </ul>
        )}
      </section>
      {member && <MyTags />}
    </div>
  );
}

/** Everything that carries the tag, in the tabs of the discover page. */
function OneTag({ tag }: { tag: string }) {
  const { t } = useTranslation();
  const [address, setAddress] = useInPage();
  const name = t('shell.nav.tags');
  usePage(tag, useMemo(() => [{ title: name, to: paths.tags }], [name]));
  const chosen = readView(address);
  // Addresses are searched for what stands behind `tag:` as it is; the others want words that belong together quoted.
  const quoted = /\s/.test(tag) && chosen.tab !== 'addresses' ? `"${tag}"` : tag;
  const view: View = { ...chosen, search: `tag:${quoted}` };
  const place = (next: Partial<View>) => {
    const search = writeView({ ...chosen, search: '', ...next });
    search.set('tag', tag);
    return search;
  };
  // "Clear the search" of an empty list leads back to all tags.
  const change = (next: Partial<View>) => setAddress(next.search === '' ? {} : place({ page: 1, ...next }));
  return (
    <div className={page.page}>
      <h1 className={css.tag}>{tag}</h1>
      <Tabs label={t('community.discover.tabs')} current={view.tab} tabs={tabs.map((tab) => ({ key: tab, name: t(`community.tabs.${tab}`), to: `${paths.tags}?${place({ tab, page: 1 }).toString()}` }))} />
      <div className={page.body}>{view.tab === 'creators' ? <TaggedPeople tag={tag} paging={view} onPage={change} /> : <Lists view={view} onChange={change} />}</div>
    </div>
  );
}
