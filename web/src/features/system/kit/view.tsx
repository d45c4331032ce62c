// A page with several lists shows one at a time; which one stands in the address.
import { Segmented } from 'antd';
import { useInPage } from '@/ui/in-page';
import css from './kit.module.css';

/** The view on show, the first unless the address names another, and how to change it: filters of the other stay behind. */
export function useView<const V extends string>(views: readonly [V, ...V[]]): [V, (view: V) => void] {
  const [search, setSearch] = useInPage();
  const view = views.find((one) => one === search.get('view')) ?? views[0];
  return [view, (next) => setSearch(next === views[0] ? {} : { view: next })];
}

interface ViewPickerProps<V extends string> {
  label: string;
  view: V;
  onView: (view: V) => void;
  options: readonly { value: V; label: string }[];
}

export function ViewPicker<V extends string>({ label, view, onView, options }: ViewPickerProps<V>) {
  return (
    <div className={css.toolbar}>
      <Segmented<V> aria-label={label} value={view} onChange={onView} options={[...options]} />
    </div>
  );
}
