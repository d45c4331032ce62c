/** What a row shows while its cells are on their way: a bar in each column, wherever the columns are now. */
import type { GridApi } from 'ag-grid-community';

/** Where a column is, from the first one's start, and whether its cells stand at its end. */
export interface Slot {
  readonly left: number;
  readonly width: number;
  readonly atEnd: boolean;
}

/** Room between a cell's edge and its text. */
const PADDING = 13;
/** How much of a cell a bar takes. */
const SHARE = 0.6;

/** The bars as one background, for a box for each would cost time while somebody drags the scroll bar. */
export function barsOf(slots: readonly Slot[]): string {
  const stops = slots.map(({ left, width, atEnd }) => {
    const length = Math.max(8, Math.round((width - 2 * PADDING) * SHARE));
    const start = Math.round(atEnd ? left + width - PADDING - length : left + PADDING);
    return `transparent 0 ${start}px, var(--line) 0 ${start + length}px`;
  });
  return stops.length === 0 ? 'none' : `linear-gradient(90deg, ${stops.join(', ')}, transparent 0)`;
}

/** Puts the bars of a grid's loading rows below its heads. */
export function placeBars<Row>(element: HTMLElement, api: GridApi<Row>): void {
  // Those in sight: a hundred bars in every row would be slow to draw.
  const columns = api.getAllDisplayedVirtualColumns();
  const before = columns.reduce((sum, column) => sum + (column.isPinned() ? column.getActualWidth() : 0), 0);
  const slots = columns.flatMap((column) => {
    const left = column.getLeft();
    return column.isPinned() || left === null ? [] : [{ left, width: column.getActualWidth(), atEnd: column.getColDef().headerClass === 'is-number' }];
  });
  element.style.setProperty('--grid-bars', barsOf(slots));
  // Columns that are pinned stand before the first of the others.
  element.style.setProperty('--grid-start', `${before}px`);
  element.style.setProperty('--grid-wide', `${Math.max(0, ...slots.map(({ left, width }) => left + width))}px`);
}

/** The bars go sideways with the columns. */
export const shiftBars = (element: HTMLElement, left: number) => element.style.setProperty('--grid-shift', `${-left}px`);
