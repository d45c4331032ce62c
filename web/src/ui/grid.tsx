/** The result grid: rows come page by page, numbers stay exact text, every column can be sorted, pinned, written otherwise and copied. */
import type { BodyScrollEvent, CellKeyDownEvent, ColumnResizedEvent, FullWidthCellKeyDownEvent, GridApi, IGetRowsParams } from 'ag-grid-community';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type UIEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { fullText, type Cell, type NumberFormat } from '@/lib/columns';
import { useConnected } from '@/lib/connection';
import { useScale } from '@/lib/scale';
import { useCopy } from './copy';
import { GridHeads, type GridContext, type HeadActions, type HeadParams } from './grid-head';
import { placeBars, shiftBars } from './grid-loading';
import { columnDefs, fitting, mountGrid, numbersWidth, SUM_ROW, type GridColumn, type MountedGrid } from './grid-options';
import { PAGE_ROWS } from './grid-pages';
import { leavePlace, placeOf } from './grid-places';
import { rowSource, tabSeparated, type FetchRows, type GridRow, type RowSource } from './grid-rows';
import { useSums } from './grid-sums';
import { GridTrouble } from './grid-trouble';
import { notify } from './notices';
import './grid.css';

export type { GridColumn } from './grid-options';

export interface GridProps {
  /** Which rows these are: another text empties the grid and loads anew. */
  source: string;
  columns: readonly GridColumn[];
  total: number;
  fetchRows: FetchRows;
  label: string;
}

/** Results up to this many rows can be sorted here: all of their rows are loaded for it. */
const MOST_SORTED = 20_000;
/** Results longer than this keep the scroll bar: it would else appear once the columns have taken all the width. */
const MOST_UNSCROLLED = 6;

export function Grid(props: GridProps) {
  // Formats, widths and sorting belong to one result: a new source starts clean.
  return <ResultGrid key={props.source} {...props} />;
}

/** What is drawn is in sight, or at most a row beside it. */
const lookAtDrawn = (rows: RowSource, api: GridApi<GridRow>) => rows.look(Math.max(0, api.getFirstDisplayedRowIndex()), api.getLastDisplayedRowIndex() + 1);

function ResultGrid({ source: key, columns: given, total, fetchRows, label }: GridProps) {
  // The same columns in another list are no reason to load the rows anew, which would also leave the place.
  const told = JSON.stringify(given);
  const columns = useMemo(() => JSON.parse(told) as readonly GridColumn[], [told]);
  const { t } = useTranslation();
  const copyOrTell = useCopy();
  const scale = useScale();
  const [left] = useState(() => placeOf(key));
  /** The row at the top of those in sight. */
  const top = useRef(left?.row ?? 0);
  const [formats, setFormats] = useState<Readonly<Record<number, NumberFormat>>>(left?.formats ?? {});
  const [heads, setHeads] = useState<ReadonlyMap<HTMLElement, HeadParams>>(new Map());
  const rowHeight = Math.max(Math.round(33 * scale), 28);
  const element = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedGrid | null>(null);
  /** Somebody chose a width: from then on the widths are theirs. */
  const dragged = useRef(false);
  /** The columns fit rows, no longer their heads alone. */
  const fitted = useRef(false);
  /** Rows in sight could not be fetched. */
  const [trouble, setTrouble] = useState(false);
  /** The rows are in another order than the result's own: all of them are here. */
  const ordered = useRef(false);
  const rows = useMemo(() => rowSource(fetchRows, total, setTrouble), [fetchRows, total]);
  useEffect(() => () => rows.stop(), [rows]);
  const connected = useConnected();
  useEffect(() => {
    if (connected) rows.retry();
  }, [connected, rows]);

  const copy = (text: string) => {
    void copyOrTell(text).then((copied) => copied && notify.success(t('common.copied')));
  };

  const { sums, toggle } = useSums(rows, () => notify.error(t('queries.grid.sumFailed')));
  const actions: HeadActions = {
    sortable: total <= MOST_SORTED,
    setFormat: (index, format) => setFormats((now) => ({ ...now, [index]: format })),
    copy,
    summed: new Set(Object.keys(sums).map(Number)),
    toggleSum: toggle,
  };

  const bottom = useMemo<GridRow[]>(() => {
    const shown = Object.keys(sums).map(Number);
    if (shown.length === 0) return [];
    const cells: Cell[] = [];
    for (const index of shown) cells[index] = sums[index] ?? null;
    return [{ number: SUM_ROW, cells }];
  }, [sums]);

  const definitions = useMemo(() => columnDefs(columns, formats, total, scale, left?.sort ?? null), [columns, formats, total, scale, left]);

  const source = useMemo(
    () => ({
      getRows: (params: IGetRowsParams) => {
        const { startRow, endRow, sortModel } = params;
        const [sort] = sortModel;
        const column = columns.find(({ index }) => String(index) === sort?.colId);
        const order = sort && column ? { index: column.index, type: column.type, descending: sort.sort === 'desc' } : null;
        ordered.current = order !== null;
        if (!order && mounted.current) lookAtDrawn(rows, mounted.current.api);
        rows.read(startRow, Math.min(endRow, total), order).then(
          (found) => params.successCallback(found, total),
          () => params.failCallback(),
        );
      },
    }),
    [columns, rows, total],
  );

  const copyCell = useEffectEvent(({ event, node, column }: CellKeyDownEvent<GridRow> | (FullWidthCellKeyDownEvent<GridRow> & { column?: undefined })) => {
    if (!(event instanceof KeyboardEvent) || event.key.toLowerCase() !== 'c' || !(event.ctrlKey || event.metaKey)) return;
    if (!getSelection()?.isCollapsed) return;
    event.preventDefault();
    const selected = mounted.current?.api.getSelectedNodes().flatMap(({ data }) => data ?? []) ?? [];
    if (selected.length > 1) copy(tabSeparated(columns, selected));
    else copy(fullText(node.data?.cells[Number(column?.getColId())] ?? null));
  });
  const copyText = useEffectEvent(copy);
  const look = useEffectEvent((api: GridApi<GridRow>) => {
    if (!ordered.current) lookAtDrawn(rows, api);
  });
  const copyLabel = useEffectEvent((value: string) => t('queries.grid.copyValue', { value }));

  const changing = useMemo(
    () => ({
      datasource: source,
      columnDefs: definitions,
      pinnedBottomRowData: bottom,
      rowHeight,
      headerHeight: Math.max(Math.round(44 * scale), 40),
      alwaysShowVerticalScroll: total > MOST_UNSCROLLED,
    }),
    [source, definitions, bottom, rowHeight, scale, total],
  );

  // Before the first painting: a head's place is given while the grid is made, and React draws in it at once.
  const mount = useEffectEvent((place: HTMLElement) => {
    const context: GridContext = {
      copy: (text) => copyText(text),
      copyLabel: (value) => copyLabel(value),
      setHead: (at, params) =>
        setHeads((now) => {
          const next = new Map(now);
          if (params) next.set(at, params);
          else next.delete(at);
          return next;
        }),
    };
    const fit = ({ api }: { api: GridApi<GridRow> }) => {
      if (!dragged.current) api.autoSizeAllColumns(fitting(columns));
    };
    // Once, when the first rows are drawn: they may come before the grid has its size, or after it.
    const fitRows = (event: { api: GridApi<GridRow> }) => {
      if (fitted.current || !event.api.getRenderedNodes().some(({ data }) => data)) return;
      fitted.current = true;
      fit(event);
    };
    const own = {
      context,
      onModelUpdated: fitRows,
      onViewportChanged: (event: { api: GridApi<GridRow> }) => {
        look(event.api);
        fitRows(event);
      },
      infiniteInitialRowCount: top.current > 0 ? total : Math.min(total, PAGE_ROWS),
      onGridReady: ({ api }: { api: GridApi<GridRow> }) => {
        if (top.current > 0 && top.current < total) api.ensureIndexVisible(top.current, 'top');
      },
      autoSizeStrategy: { type: 'fitCellContents' as const, ...fitting(columns) },
      suppressColumnVirtualisation: columns.length < 30,
      onColumnResized: ({ source: by, api }: ColumnResizedEvent<GridRow>) => {
        if (by === 'uiColumnResized') dragged.current = true;
        placeBars(place, api);
      },
      onDisplayedColumnsChanged: ({ api }: { api: GridApi<GridRow> }) => placeBars(place, api),
      onVirtualColumnsChanged: ({ api }: { api: GridApi<GridRow> }) => placeBars(place, api),
      onBodyScroll: ({ direction, left: away }: BodyScrollEvent<GridRow>) => {
        if (direction === 'horizontal') shiftBars(place, away);
      },
      // A scroll bar, or a panel that opens beside the grid, takes room that the columns have to give.
      onGridSizeChanged: fit,
      onCellKeyDown: (event: CellKeyDownEvent<GridRow> | FullWidthCellKeyDownEvent<GridRow>) => copyCell(event),
    };
    mounted.current = mountGrid(place, own, changing);
    fitted.current = false;
  });
  const leave = useEffectEvent((api: GridApi<GridRow>) => {
    const sorted = api.getColumnState().find(({ sort }) => sort);
    leavePlace(key, { row: top.current, formats, sort: sorted?.sort ? { column: sorted.colId, direction: sorted.sort } : null });
  });
  useLayoutEffect(() => {
    if (element.current) mount(element.current);
    return () => {
      if (mounted.current) leave(mounted.current.api);
      mounted.current?.api.destroy();
      mounted.current = null;
    };
  }, []);
  useLayoutEffect(() => mounted.current?.update(changing), [changing]);

  /** Keeps the place, and asks for its rows before the grid draws there, which takes longer than the answer. */
  const scrolled = ({ target }: UIEvent) => {
    if (!(target instanceof HTMLElement) || !target.classList.contains('ag-grid-viewport')) return;
    const { scrollTop, scrollHeight, clientHeight } = target;
    const drawn = mounted.current?.api.getDisplayedRowCount() ?? 0;
    const shown = Math.max(0, clientHeight - changing.headerHeight) / rowHeight;
    // Very long grids are drawn shorter than their rows are together, so the share counts, not the pixels.
    const first = Math.max(0, (scrollTop / Math.max(1, scrollHeight - clientHeight)) * (drawn - shown));
    top.current = Math.round(first);
    if (!ordered.current) rows.look(Math.floor(first), Math.min(total, Math.ceil(first + shown)));
  };

  return (
    <div className="result-grid" role="region" aria-label={label} style={{ '--grid-numbers': `${numbersWidth(total, scale)}px` } as CSSProperties} onScrollCapture={scrolled}>
      <div className="result-grid-place" ref={element} />
      <GridHeads heads={heads} actions={actions} />
      {trouble ? <GridTrouble onRetry={rows.retry} /> : null}
    </div>
  );
}
