/** Parts of the result grid: the head of a column with its menu, and cells that hold an address or a hash. */
import { Dropdown, type MenuProps } from 'antd';
import { ArrowDown, ArrowUp, EllipsisVertical } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isNumeric, NUMBER_FORMATS, type Cell, type Column, type NumberFormat } from '@/lib/columns';

/** What the grid hands to its parts. */
export interface HeadContext {
  /** Whether all rows may be loaded for sorting. */
  readonly sortable: boolean;
  readonly setFormat: (index: number, format: NumberFormat) => void;
  readonly copy: (text: string) => void;
  /** What the button that copies a value is called. */
  readonly copyLabel: (value: string) => string;
  /** Columns whose sum is shown below the rows. */
  readonly summed: ReadonlySet<number>;
  readonly toggleSum: (index: number) => void;
}

type Direction = 'asc' | 'desc' | null;

/** The part of ag-grid's header parameters that is used here; ui/grid.tsx alone knows the library. */
interface HeadParams {
  readonly displayName: string;
  readonly column: { isPinned(): boolean; getSort(): 'asc' | 'desc' | null | undefined; getColId(): string; addEventListener(type: 'sortChanged', listener: () => void): void; removeEventListener(type: 'sortChanged', listener: () => void): void };
  readonly api: { setColumnsPinned(keys: string[], pinned: 'left' | 'right' | null): void; applyColumnState(state: { state: { colId: string; sort: Direction }[]; defaultState: { sort: null } }): boolean };
  readonly context: HeadContext;
  readonly eGridHeader: HTMLElement;
}

interface OwnParams {
  readonly own: (Column & { readonly index: number }) | null;
  readonly format: NumberFormat;
}

export function GridHead(params: HeadParams & Partial<OwnParams>) {
  if (!params.own) return null;
  return <ColumnHead {...params} own={params.own} format={params.format ?? 'grouped'} />;
}

function ColumnHead({ displayName, column, api, context, eGridHeader, own, format }: HeadParams & { own: Column & { readonly index: number }; format: NumberFormat }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [sort, setSort] = useState<Direction>(column.getSort() ?? null);

  useEffect(() => {
    const follow = () => setSort(column.getSort() ?? null);
    column.addEventListener('sortChanged', follow);
    return () => column.removeEventListener('sortChanged', follow);
  }, [column]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.target === eGridHeader && (event.key === 'Enter' || event.key === ' ')) setOpen(true);
    };
    eGridHeader.addEventListener('keydown', onKey);
    return () => eGridHeader.removeEventListener('keydown', onKey);
  }, [eGridHeader]);

  const sortBy = (next: Direction) => {
    if (context.sortable) api.applyColumnState({ state: [{ colId: column.getColId(), sort: next }], defaultState: { sort: null } });
    else setOpen(true);
  };

  const items: MenuProps['items'] = [
    { key: 'asc', label: t('queries.grid.sortUp'), disabled: !context.sortable },
    { key: 'desc', label: t('queries.grid.sortDown'), disabled: !context.sortable },
    ...(sort ? [{ key: 'unsort', label: t('queries.grid.unsort') }] : []),
    ...(context.sortable ? [] : [{ key: 'why', label: t('queries.grid.tooManyToSort', { column: own.name }), disabled: true, className: 'grid-why' }]),
    { type: 'divider' },
    column.isPinned() ? { key: 'unpin', label: t('queries.grid.unpin') } : { key: 'left', label: t('queries.grid.pinLeft') },
    ...(column.isPinned() ? [] : [{ key: 'right', label: t('queries.grid.pinRight') }]),
    ...(isNumeric(own.type)
      ? [{ type: 'divider' as const }, { key: 'format', label: t('queries.grid.format'), children: NUMBER_FORMATS.map((one) => ({ key: `format ${one}`, label: t(`queries.grid.formats.${one}`) })) }, { key: 'sum', label: t(context.summed.has(own.index) ? 'queries.grid.hideSum' : 'queries.grid.showSum'), disabled: !context.sortable }]
      : []),
    { type: 'divider' },
    { key: 'copy', label: t('queries.grid.copyName') },
  ];

  const onClick: MenuProps['onClick'] = ({ key }) => {
    setOpen(false);
    if (key === 'asc' || key === 'desc') sortBy(key);
    else if (key === 'unsort') sortBy(null);
    else if (key === 'left' || key === 'right') api.setColumnsPinned([column.getColId()], key);
    else if (key === 'unpin') api.setColumnsPinned([column.getColId()], null);
    else if (key === 'copy') context.copy(own.name);
    else if (key === 'sum') context.toggleSum(own.index);
    else if (key.startsWith('format ')) context.setFormat(own.index, key.slice(7) as NumberFormat);
  };

  return (
    <div className={`grid-head${isNumeric(own.type) ? ' is-number' : ''}`}>
      <button type="button" className="grid-head-name" tabIndex={-1} title={t('queries.grid.sortHint', { column: own.name })} onClick={() => sortBy(sort === null ? 'desc' : sort === 'desc' ? 'asc' : null)}>
        <span className="grid-head-title">
          <span className="ellipsis">{displayName}</span>
          {sort === 'asc' ? <ArrowUp size={13} aria-hidden /> : null}
          {sort === 'desc' ? <ArrowDown size={13} aria-hidden /> : null}
        </span>
        <span className="grid-head-type ellipsis">{own.type}</span>
      </button>
      <Dropdown open={open} onOpenChange={setOpen} trigger={['click']} menu={{ items, onClick, selectable: isNumeric(own.type), selectedKeys: [`format ${format}`] }}>
        <button type="button" className="grid-head-menu" tabIndex={-1} aria-label={t('queries.grid.menu', { column: own.name })}>
          <EllipsisVertical size={14} aria-hidden />
        </button>
      </Dropdown>
    </div>
  );
}

const address = /^https?:\/\/[^\s]+$/i;
export const isLink = (value: unknown): value is string => typeof value === 'string' && address.test(value);

/** A text that is a web address, as a link. */
export function LinkCell({ value, valueFormatted }: { value?: Cell; valueFormatted?: string | null }) {
  return (
    <a href={isLink(value) ? value : undefined} target="_blank" rel="noopener noreferrer nofollow" tabIndex={-1}>
      {valueFormatted}
    </a>
  );
}
