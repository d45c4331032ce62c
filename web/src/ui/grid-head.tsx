/** The head of a column of the result grid with its menu, drawn by React in a place that the grid keeps. */
import { Dropdown, type MenuProps } from 'antd';
import { ArrowDown, ArrowUp, EllipsisVertical } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { isNumeric, NUMBER_FORMATS, type Column, type NumberFormat } from '@/lib/columns';

/** What heads may do with the grid they belong to. */
export interface HeadActions {
  /** Whether all rows may be loaded for sorting. */
  readonly sortable: boolean;
  readonly setFormat: (index: number, format: NumberFormat) => void;
  readonly copy: (text: string) => void;
  /** Columns whose sum is shown below the rows. */
  readonly summed: ReadonlySet<number>;
  readonly toggleSum: (index: number) => void;
}

/** What the grid hands to its parts, the same from its first drawing to its end. */
export interface GridContext {
  readonly copy: (text: string) => void;
  /** What the button that copies a value is called. */
  readonly copyLabel: (value: string) => string;
  /** Says that a head has a place now, or with `null` that its place is gone. */
  readonly setHead: (place: HTMLElement, params: HeadParams | null) => void;
}

type Direction = 'asc' | 'desc' | null;

/** The part of ag-grid's header parameters that is used here. */
export interface HeadParams {
  readonly displayName: string;
  readonly column: { isPinned(): boolean; getSort(): 'asc' | 'desc' | null | undefined; getColId(): string; addEventListener(type: 'sortChanged', listener: () => void): void; removeEventListener(type: 'sortChanged', listener: () => void): void };
  readonly api: { setColumnsPinned(keys: string[], pinned: 'left' | 'right' | null): void; applyColumnState(state: { state: { colId: string; sort: Direction }[]; defaultState: { sort: null } }): boolean };
  readonly context: GridContext;
  readonly eGridHeader: HTMLElement;
  readonly own: (Column & { readonly index: number }) | null;
  readonly format?: NumberFormat;
}

/** ag-grid's side of a head: an element for `GridHeads` to draw in. */
export class HeadPlace {
  private readonly place = document.createElement('div');
  private context: GridContext | undefined;

  init(params: HeadParams): void {
    this.place.className = 'grid-head-place';
    this.refresh(params);
  }

  getGui(): HTMLElement {
    return this.place;
  }

  refresh(params: HeadParams): boolean {
    this.context = params.context;
    params.context.setHead(this.place, params);
    return true;
  }

  destroy(): void {
    this.context?.setHead(this.place, null);
  }
}

/** React's side: the heads of all columns, each in its place. */
export function GridHeads({ heads, actions }: { heads: ReadonlyMap<HTMLElement, HeadParams>; actions: HeadActions }): ReactNode {
  return [...heads].map(([place, { own, format = 'grouped', ...params }]) => own && createPortal(<ColumnHead {...params} actions={actions} own={own} format={format} />, place, params.column.getColId()));
}

function ColumnHead({ displayName, column, api, actions, eGridHeader, own, format }: Omit<HeadParams, 'context'> & { actions: HeadActions; own: Column & { readonly index: number }; format: NumberFormat }) {
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
    if (actions.sortable) api.applyColumnState({ state: [{ colId: column.getColId(), sort: next }], defaultState: { sort: null } });
    else setOpen(true);
  };

  const items: MenuProps['items'] = [
    { key: 'asc', label: t('queries.grid.sortUp'), disabled: !actions.sortable },
    { key: 'desc', label: t('queries.grid.sortDown'), disabled: !actions.sortable },
    ...(sort ? [{ key: 'unsort', label: t('queries.grid.unsort') }] : []),
    ...(actions.sortable ? [] : [{ key: 'why', label: t('queries.grid.tooManyToSort', { column: own.name }), disabled: true, className: 'grid-why' }]),
    { type: 'divider' },
    column.isPinned() ? { key: 'unpin', label: t('queries.grid.unpin') } : { key: 'left', label: t('queries.grid.pinLeft') },
    ...(column.isPinned() ? [] : [{ key: 'right', label: t('queries.grid.pinRight') }]),
    ...(isNumeric(own.type)
      ? [{ type: 'divider' as const }, { key: 'format', label: t('queries.grid.format'), children: NUMBER_FORMATS.map((one) => ({ key: `format ${one}`, label: t(`queries.grid.formats.${one}`) })) }, { key: 'sum', label: t(actions.summed.has(own.index) ? 'queries.grid.hideSum' : 'queries.grid.showSum'), disabled: !actions.sortable }]
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
    else if (key === 'copy') actions.copy(own.name);
    else if (key === 'sum') actions.toggleSum(own.index);
    else if (key.startsWith('format ')) actions.setFormat(own.index, key.slice(7) as NumberFormat);
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
