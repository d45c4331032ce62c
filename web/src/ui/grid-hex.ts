/** An address or hash in the result grid: short for the eye, whole in tooltip and copy. Plain elements, for hundreds of these cells come and go while somebody scrolls. */
import type { Cell } from '@/lib/columns';
import type { HeadContext } from './grid-parts';

interface HexParams {
  readonly value?: Cell;
  readonly valueFormatted?: string | null;
  readonly context: HeadContext;
}

const COPY = '<svg width="13" height="13" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect width="14" height="14" x="8" y="8" rx="2"/><path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2"/></svg>';

/** Drawn once, copied into every cell. */
let icon: Node | undefined;

function copyIcon(): Node {
  if (!icon) {
    const template = document.createElement('template');
    template.innerHTML = COPY;
    icon = template.content;
  }
  return icon.cloneNode(true);
}

export class HexCell {
  private readonly text = document.createTextNode('');
  private readonly button = document.createElement('button');
  private readonly cell = document.createElement('span');
  private shown: HexParams | undefined;

  init(params: HexParams): void {
    this.cell.className = 'grid-hex';
    this.button.type = 'button';
    this.button.tabIndex = -1;
    this.button.className = 'grid-copy';
    this.button.append(copyIcon());
    this.button.addEventListener('click', () => {
      if (typeof this.shown?.value === 'string') this.shown.context.copy(this.shown.value);
    });
    this.cell.append(this.text);
    this.refresh(params);
  }

  getGui(): HTMLElement {
    return this.cell;
  }

  refresh(params: HexParams): boolean {
    this.shown = params;
    this.text.data = params.valueFormatted ?? '';
    if (typeof params.value !== 'string') this.button.remove();
    else {
      this.button.ariaLabel = params.context.copyLabel(params.value);
      this.cell.append(this.button);
    }
    return true;
  }
}
