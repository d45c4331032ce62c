/** The result grid: rows come page by page, numbers stay exact text, every column can be sorted, pinned, written otherwise and copied. */
import {
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  EventApiModule,
  InfiniteRowModelModule,
  LocaleModule,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  themeQuartz,
  TooltipModule,
  type CellKeyDownEvent,
  type ColDef,
  type FullWidthCellKeyDownEvent,
  type GridApi,
  type IDatasource,
} from 'ag-grid-community';
import { AgGridProvider, AgGridReact } from 'ag-grid-react';
import { useEffect, useMemo, useRef, useState, type UIEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { classOf, formatCell, fullText, isNumeric, type Cell, type NumberFormat } from '@/lib/columns';
import { useScale } from '@/lib/scale';
import { PAGE_ROWS } from './grid-pages';
import { HexCell } from './grid-hex';
import { GridHead, isLink, LinkCell, type HeadContext } from './grid-parts';
import { rowSource, tabSeparated, type FetchRows, type GridRow } from './grid-rows';
import { notify } from './notices';
import './grid.css';

export interface GridColumn {
  readonly name: string;
  readonly type: string;
  /** Place of the column's cell in a row. */
  readonly index: number;
  readonly title?: string;
  readonly format?: NumberFormat;
}

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
/** Columns are as wide as what they hold, and share what room is left. */
const FIT = { defaultMaxWidth: 520, scaleUpToFitGridWidth: true } as const;
/** Results longer than this keep the scroll bar: it would else appear once the columns have taken all the width. */
const MOST_UNSCROLLED = 6;
/** Rows drawn above and below those in sight: each costs time whenever somebody jumps to another place. */
const ROW_BUFFER = 6;
/** Pixels that the scroll bar takes: one that lies over the content has no width to measure, and would cover the last column. */
const SCROLL_LANE = 16;
/** Pixels of the column with the numbers of the rows. */
const numbersWidth = (total: number, scale: number) => Math.round(22 + 8 * Math.max(2, total.toLocaleString('en').length) * Math.max(scale, 0.9));
/** Number of the row of sums, which is none of the result. */
const SUM_ROW = -1;

const modules = [InfiniteRowModelModule, ColumnApiModule, ColumnAutoSizeModule, CellStyleModule, RowStyleModule, ScrollApiModule, EventApiModule, LocaleModule, PinnedRowModule, RenderApiModule, RowApiModule, RowSelectionModule, TooltipModule];

const theme = themeQuartz.withParams({
  accentColor: 'var(--acc)',
  backgroundColor: 'var(--surface)',
  foregroundColor: 'var(--t1)',
  borderColor: 'var(--line)',
  chromeBackgroundColor: 'var(--canvas)',
  headerBackgroundColor: 'var(--canvas)',
  headerTextColor: 'var(--t1)',
  rowHoverColor: 'var(--hover)',
  selectedRowBackgroundColor: 'var(--accs)',
  tooltipBackgroundColor: 'var(--surface)',
  tooltipTextColor: 'var(--t1)',
  tooltipBorder: '1px solid var(--line2)',
  fontFamily: 'inherit',
  fontSize: 'var(--fs13)',
  columnBorder: true,
  headerColumnBorder: true,
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  cellHorizontalPadding: 'max(0.13rem, 9px)',
});

function columnDef(column: GridColumn, format: NumberFormat): ColDef<GridRow> {
  const kind = classOf(column.type);
  const numeric = isNumeric(column.type);
  const hex = kind === 'address' || kind === 'hash';
  const cell = (row: GridRow | undefined): Cell | undefined => row?.cells[column.index];
  const write = (value: Cell | undefined) => (value === undefined ? '' : formatCell(value, column.type, format));
  const definition: ColDef<GridRow, Cell> = {
    colId: String(column.index),
    headerName: column.title ?? column.name,
    headerComponentParams: { own: column, format },
    valueGetter: ({ data }) => cell(data),
    valueFormatter: ({ value }) => write(value ?? (value === null ? null : undefined)),
    tooltip: ({ value }) => (value === null || value === undefined || (fullText(value) === write(value) && fullText(value).length < 40) ? null : fullText(value)),
    cellClass: [numeric ? 'is-number' : '', hex || kind === 'bytes' || kind === 'nested' ? 'is-code' : ''].filter(Boolean),
    cellClassRules: { 'is-null': ({ data, value }) => data !== undefined && value === null, 'is-loading': ({ data }) => data === undefined },
    headerClass: numeric ? 'is-number' : '',
    // The server knows no order of a stored result; the data source sorts what it holds.
    comparator: () => 0,
    sortable: true,
    resizable: true,
    suppressMovable: false,
    minWidth: 72,
  };
  if (hex) definition.cellRenderer = HexCell;
  else if (kind === 'text') definition.cellRendererSelector = ({ value }) => (isLink(value) ? { component: LinkCell } : undefined);
  return definition as ColDef<GridRow>;
}

export function Grid(props: GridProps) {
  // Formats, widths and sorting belong to one result: a new source starts clean.
  return (
    <AgGridProvider modules={modules}>
      <ResultGrid key={props.source} {...props} />
    </AgGridProvider>
  );
}

function ResultGrid({ columns, total, fetchRows, label }: GridProps) {
  const { t } = useTranslation();
  const scale = useScale();
  const [formats, setFormats] = useState<Readonly<Record<number, NumberFormat>>>({});
  const [sums, setSums] = useState<Readonly<Record<number, Cell>>>({});
  const rowHeight = Math.max(Math.round(33 * scale), 28);
  const api = useRef<GridApi<GridRow> | null>(null);
  /** Somebody chose a width: from then on the widths are theirs. */
  const dragged = useRef(false);
  const rows = useMemo(() => rowSource(fetchRows, total), [fetchRows, total]);
  useEffect(() => () => rows.stop(), [rows]);

  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => notify.success(t('common.copied')),
      () => notify.error(t('queries.grid.copyFailed')),
    );
  };

  const context: HeadContext = {
    sortable: total <= MOST_SORTED,
    setFormat: (index, format) => setFormats((now) => ({ ...now, [index]: format })),
    copy,
    copyLabel: (value) => t('queries.grid.copyValue', { value }),
    summed: new Set(Object.keys(sums).map(Number)),
    toggleSum: (index) => {
      if (index in sums) setSums((now) => Object.fromEntries(Object.entries(now).filter(([key]) => key !== String(index))));
      else
        rows.sum(index).then(
          (sum) => setSums((now) => ({ ...now, [index]: sum })),
          () => notify.error(t('queries.grid.sumFailed')),
        );
    },
  };

  const bottom = useMemo<GridRow[]>(() => {
    const shown = Object.keys(sums).map(Number);
    if (shown.length === 0) return [];
    const cells: Cell[] = [];
    for (const index of shown) cells[index] = sums[index] ?? null;
    return [{ number: SUM_ROW, cells }];
  }, [sums]);

  const definitions = useMemo<ColDef<GridRow>[]>(
    () => [
      { colId: 'row', headerName: '', valueGetter: ({ data }) => (data ? (data.number === SUM_ROW ? 'Σ' : (data.number + 1).toLocaleString('en')) : ''), pinned: 'left', width: numbersWidth(total, scale), suppressAutoSize: true, suppressSizeToFit: true, resizable: false, sortable: false, suppressMovable: true, lockPosition: 'left', cellClass: 'is-row-number', headerComponentParams: { own: null } },
      ...columns.map((column) => columnDef(column, formats[column.index] ?? column.format ?? 'grouped')),
    ],
    [columns, formats, total, scale],
  );

  const source = useMemo<IDatasource>(
    () => ({
      getRows: (params) => {
        const { startRow, endRow, sortModel } = params;
        const [sort] = sortModel;
        const column = columns.find(({ index }) => String(index) === sort?.colId);
        const order = sort && column ? { index: column.index, type: column.type, descending: sort.sort === 'desc' } : null;
        rows.read(startRow, Math.min(endRow, total), order).then(
          (found) => params.successCallback(found, total),
          () => params.failCallback(),
        );
      },
    }),
    [columns, rows, total],
  );

  /** Asks for the rows of the place scrolled to before the grid draws there, which takes longer than the answer. */
  const ahead = ({ target }: UIEvent) => {
    if (total <= MOST_SORTED || !(target instanceof HTMLElement) || !target.classList.contains('ag-grid-viewport')) return;
    const { scrollTop, scrollHeight, clientHeight } = target;
    const shown = Math.ceil(clientHeight / rowHeight);
    const first = Math.max(0, Math.floor((scrollTop / Math.max(1, scrollHeight - clientHeight)) * (total - shown)));
    // A failure is told to the grid, which asks for the same page.
    rows.read(first, Math.min(total, first + shown), null).catch(() => undefined);
  };

  const onKey = ({ event, node, column }: CellKeyDownEvent<GridRow> | (FullWidthCellKeyDownEvent<GridRow> & { column?: undefined })) => {
    if (!(event instanceof KeyboardEvent) || event.key.toLowerCase() !== 'c' || !(event.ctrlKey || event.metaKey)) return;
    if (!getSelection()?.isCollapsed) return;
    event.preventDefault();
    const selected = api.current?.getSelectedNodes().flatMap(({ data }) => data ?? []) ?? [];
    if (selected.length > 1) copy(tabSeparated(columns, selected));
    else copy(fullText(node.data?.cells[Number(column?.getColId())] ?? null));
  };

  return (
    <div className="result-grid" role="region" aria-label={label} onScrollCapture={ahead}>
      <AgGridReact<GridRow>
        theme={theme}
        rowModelType="infinite"
        datasource={source}
        columnDefs={definitions}
        context={context}
        pinnedBottomRowData={bottom}
        defaultColDef={{ headerComponent: GridHead }}
        rowHeight={rowHeight}
        headerHeight={Math.max(Math.round(44 * scale), 40)}
        cacheBlockSize={PAGE_ROWS}
        maxBlocksInCache={40}
        // The source decides what is fetched first; here every block in sight asks at once.
        maxConcurrentDatasourceRequests={-1}
        infiniteInitialRowCount={Math.min(total, PAGE_ROWS)}
        // Cells are there in the frame in which their row comes into sight.
        suppressAnimationFrame
        animateRows={false}
        alwaysShowVerticalScroll={total > MOST_UNSCROLLED}
        scrollbarWidth={SCROLL_LANE}
        rowBuffer={ROW_BUFFER}
        rowSelection={{ mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: true }}
        getRowId={({ data }) => String(data.number)}
        tooltipShowDelay={400}
        enableCellTextSelection
        suppressNoRowsOverlay
        suppressMultiSort
        suppressColumnVirtualisation={columns.length < 30}
        autoSizePadding={8}
        autoSizeStrategy={{ type: 'fitCellContents', ...FIT }}
        onColumnResized={({ source: by }) => {
          if (by === 'uiColumnResized') dragged.current = true;
        }}
        // A scroll bar, or a panel that opens beside the grid, takes room that the columns have to give.
        onGridSizeChanged={({ api: now }) => {
          if (!dragged.current) now.autoSizeAllColumns(FIT);
        }}
        onFirstDataRendered={({ api: now }) => now.autoSizeAllColumns(FIT)}
        onGridReady={(event) => {
          api.current = event.api;
        }}
        onCellKeyDown={onKey}
      />
    </div>
  );
}
