/** The result grid as ag-grid is told of it: modules, looks, columns, and the options that never change. */
import {
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  createGrid,
  EventApiModule,
  InfiniteRowModelModule,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  themeQuartz,
  TooltipModule,
  type ColDef,
  type GridApi,
  type GridOptions,
} from 'ag-grid-community';
import { classOf, formatCell, hintOf, isNumeric, type Cell, type NumberFormat } from '@/lib/columns';
import { HexCell, isLink, LinkCell, LoadingRow } from './grid-cells';
import { HeadPlace } from './grid-head';
import { PAGE_ROWS } from './grid-pages';
import type { GridPlace } from './grid-places';
import type { GridRow } from './grid-rows';

export interface GridColumn {
  readonly name: string;
  readonly type: string;
  /** Place of the column's cell in a row. */
  readonly index: number;
  readonly title?: string;
  readonly format?: NumberFormat;
}

/** The longest numbers there are, of 78 digits, stand whole: one that ends in dots is another number to the eye. */
const WIDEST_NUMBER = 900;

/** Columns are as wide as what they hold, and share what room is left. */
export const fitting = (columns: readonly GridColumn[]) => ({
  defaultMaxWidth: 520,
  scaleUpToFitGridWidth: true,
  columnLimits: columns.filter(({ type }) => isNumeric(type)).map(({ index }) => ({ colId: String(index), maxWidth: WIDEST_NUMBER })),
});
/** Rows drawn above and below those in sight: each costs time whenever somebody jumps to another place. */
const ROW_BUFFER = 2;
/** Pixels that the scroll bar takes: one that lies over the content has no width to measure, and would cover the last column. */
const SCROLL_LANE = 16;
/** Pixels of the column with the numbers of the rows. */
export const numbersWidth = (total: number, scale: number) => Math.round(22 + 8 * Math.max(2, total.toLocaleString('en').length) * Math.max(scale, 0.9));
/** Number of the row of sums, which is none of the result. */
export const SUM_ROW = -1;

const modules = [InfiniteRowModelModule, ColumnApiModule, ColumnAutoSizeModule, CellStyleModule, RowStyleModule, ScrollApiModule, EventApiModule, PinnedRowModule, RenderApiModule, RowApiModule, RowSelectionModule, TooltipModule];

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

const fixed: GridOptions<GridRow> = {
  theme,
  rowModelType: 'infinite',
  defaultColDef: { headerComponent: HeadPlace },
  cacheBlockSize: PAGE_ROWS,
  maxBlocksInCache: 40,
  // The source decides what is fetched first; here every block in sight asks at once.
  maxConcurrentDatasourceRequests: -1,
  // Cells are there in the frame in which their row comes into sight.
  suppressAnimationFrame: true,
  isFullWidthRow: ({ rowNode }) => rowNode.data === undefined,
  fullWidthCellRenderer: LoadingRow,
  animateRows: false,
  scrollbarWidth: SCROLL_LANE,
  rowBuffer: ROW_BUFFER,
  rowSelection: { mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: true },
  getRowId: ({ data }) => String(data.number),
  tooltipShowDelay: 400,
  enableCellTextSelection: true,
  suppressNoRowsOverlay: true,
  suppressMultiSort: true,
  autoSizePadding: 8,
  // Tab leaves the grid, the arrows move in it: else there are as many stops as cells between what stands before it and after.
  tabToNextCell: () => false,
  tabToNextHeader: () => false,
};

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
    tooltip: ({ value }) => (value === undefined || value === null ? null : hintOf(value, write(value))),
    cellClass: [numeric ? 'is-number' : '', hex || kind === 'bytes' || kind === 'nested' ? 'is-code' : ''].filter(Boolean),
    cellClassRules: { 'is-null': ({ data, value }) => data !== undefined && value === null },
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

/** The columns of a result of `total` rows, behind one with the rows' numbers; `formats` are those chosen in the heads, by place; `sort` is the order at the start. */
export function columnDefs(columns: readonly GridColumn[], formats: Readonly<Record<number, NumberFormat>>, total: number, scale: number, sort: GridPlace['sort']): ColDef<GridRow>[] {
  return [
    {
      colId: 'row',
      headerName: '',
      valueGetter: ({ data }) => (data ? (data.number === SUM_ROW ? 'Σ' : (data.number + 1).toLocaleString('en')) : ''),
      pinned: 'left',
      width: numbersWidth(total, scale),
      suppressAutoSize: true,
      suppressSizeToFit: true,
      resizable: false,
      sortable: false,
      suppressMovable: true,
      lockPosition: 'left',
      cellClass: 'is-row-number',
      headerComponentParams: { own: null },
    },
    ...columns.map((column) => {
      const definition = columnDef(column, formats[column.index] ?? column.format ?? 'grouped');
      return sort !== null && sort.column === definition.colId ? { ...definition, initialSort: sort.direction } : definition;
    }),
  ];
}

export interface MountedGrid {
  readonly api: GridApi<GridRow>;
  /** Hands on those options that differ from the last ones. */
  readonly update: (options: GridOptions<GridRow>) => void;
}

/** Draws a grid in `element`. Of its options `changing` may be updated. */
export function mountGrid(element: HTMLElement, own: GridOptions<GridRow>, changing: GridOptions<GridRow>): MountedGrid {
  const api = createGrid(element, { ...fixed, ...own, ...changing }, { modules });
  let last = changing;
  return {
    api,
    update: (next) => {
      const changed = Object.entries(next).filter(([name, value]) => value !== last[name as keyof typeof last]);
      last = next;
      if (changed.length > 0) api.updateGridOptions(Object.fromEntries(changed));
    },
  };
}
