// Discover: what people published, in five tabs, searched, sorted and limited in time. The address holds the whole state.
import { Segmented, Select } from 'antd';
import { Clock, Star } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { compact } from '@/lib/format';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { useWidth } from '@/lib/width';
import { useInPage } from '@/ui/in-page';
import { Tabs } from '@/ui/tabs';
import { useCounts } from '../api';
import { SearchBox } from '../parts/search-box';
import { Lists } from './lists';
import { ranges, readView, sorts, tabs, writeView, type Range, type Sort, type View } from './model';
import { Side } from './side';
import css from './discover.module.css';

export function Component() {
  const { t } = useTranslation();
  usePage(t('shell.nav.discover'));
  const [address, setAddress] = useInPage();
  const view = readView(address);
  const { data: counts } = useCounts(view);

  const change = (next: Partial<View>) => setAddress(writeView({ ...view, page: 1, ...next }));
  // A search that is being typed is one step of the history.
  const search = useCallback((text: string) => setAddress((now) => writeView({ ...readView(now), page: 1, search: text }), { replace: true }), [setAddress]);

  return (
    <div className={css.page}>
      <h1>{t('shell.nav.discover')}</h1>
      <Tabs
        label={t('community.discover.tabs')}
        current={view.tab}
        tabs={tabs.map((tab) => {
          const query = writeView({ ...view, tab, page: 1 }).toString();
          return { key: tab, name: t(`community.tabs.${tab}`), to: query === '' ? paths.discover : `${paths.discover}?${query}`, count: counts && compact(counts[tab]) };
        })}
      />
      <div className={css.filters}>
        <SearchBox explained value={view.search} label={t(`community.search.in.${view.tab}`)} onChange={search} />
        <Segmented<Sort>
          aria-label={t('community.discover.sort')}
          value={view.sort}
          onChange={(sort) => change({ sort })}
          options={sorts.map((sort) => ({ value: sort, label: t(`community.sorts.${sort}`), icon: sort === 'time' ? <Clock size={15} strokeWidth={1.6} /> : <Star size={15} strokeWidth={1.6} /> }))}
        />
        <RangeChoice value={view.range} onChange={(range) => change({ range })} />
      </div>
      <div className={css.columns}>
        <Lists view={view} onChange={change} />
        <Side />
      </div>
    </div>
  );
}

/** Four buttons in a row, or a list where there is no room for them. */
function RangeChoice({ value, onChange }: { value: Range; onChange: (range: Range) => void }) {
  const { t } = useTranslation();
  const narrow = useWidth() === 'narrow';
  const options = ranges.map((range) => ({ value: range, label: t(`community.ranges.${range}`) }));
  const label = t('community.discover.range');
  return <div className={css.range}>{narrow ? <Select<Range> aria-label={label} value={value} options={options} onChange={onChange} /> : <Segmented<Range> aria-label={label} value={value} options={options} onChange={onChange} />}</div>;
}
