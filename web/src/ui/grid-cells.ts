/** Cells of the result grid that hold more than text. Plain elements, for hundreds of these come and go while somebody scrolls. */
import type { Cell } from '@/lib/columns';
import type { GridContext } from './grid-head';

/** The part of ag-grid's cell parameters that is used here. */
interface CellParams {
  readonly value?: Cell;
  readonly valueFormatted?: string | null;
  readonly context: GridContext;
}

/** An address or hash: short for the eye, whole in tooltip and copy. Its button exists while the pointer is on the cell: drawn with every cell, it would be most of what a row costs. */
export class HexCell {
  private readonly cell = document.createElement('span');
  private shown: CellParams | undefined;
  private button: HTMLButtonElement | undefined;

  init(params: CellParams & { readonly eGridCell: HTMLElement }): void {
    this.cell.className = 'grid-hex';
    params.eGridCell.addEventListener('pointerenter', this.offer);
    params.eGridCell.addEventListener('pointerleave', this.withdraw);
    this.refresh(params);
  }

  getGui(): HTMLElement {
    return this.cell;
  }

  refresh(params: CellParams): boolean {
    this.shown = params;
    this.cell.textContent = params.valueFormatted ?? '';
    if (this.button) this.offer();
    return true;
  }

  private readonly offer = (): void => {
    const { value, context } = this.shown ?? {};
    if (typeof value !== 'string' || !context) return;
    this.withdraw();
    this.button = document.createElement('button');
    this.button.type = 'button';
    this.button.tabIndex = -1;
    this.button.className = 'grid-copy';
    this.button.ariaLabel = context.copyLabel(value);
    this.button.addEventListener('click', () => context.copy(value));
    this.cell.append(this.button);
  };

  private readonly withdraw = (): void => {
    this.button?.remove();
    this.button = undefined;
  };
}

const address = /^https?:\/\/[^\s]+$/i;
export const isLink = (value: unknown): value is string => typeof value === 'string' && address.test(value);

/** A text that is a web address, as a link. */
export class LinkCell {
  private readonly link = document.createElement('a');

  init(params: CellParams): void {
    this.link.target = '_blank';
    this.link.rel = 'noopener noreferrer nofollow';
    this.link.tabIndex = -1;
    this.refresh(params);
  }

  getGui(): HTMLElement {
    return this.link;
  }

  refresh({ value, valueFormatted }: CellParams): boolean {
    if (isLink(value)) this.link.href = value;
    else this.link.removeAttribute('href');
    this.link.textContent = valueFormatted ?? '';
    return true;
  }
}

/** A row that is still loading, with hardly an element: somebody who drags the scroll bar passes thousands of these, and whole cells would keep the page from drawing. */
export class LoadingRow {
  private readonly row = document.createElement('div');

  init({ node }: { readonly node: { readonly rowIndex: number | null } }): void {
    this.row.className = 'grid-row-loading is-loading';
    // A row without cells is none to those who hear the page.
    this.row.role = 'gridcell';
    const number = document.createElement('span');
    number.textContent = ((node.rowIndex ?? 0) + 1).toLocaleString('en');
    this.row.append(number);
  }

  getGui(): HTMLElement {
    return this.row;
  }

  refresh(): boolean {
    return false;
  }
}
