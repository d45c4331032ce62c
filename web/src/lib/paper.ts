// A page on paper or in a picture: nothing scrolls there, nothing moves, and what is far down has to be drawn, too.
import { createStore, useStore } from './store';

export type Paper = 'print' | 'picture' | null;

const paper = createStore<Paper>(null);

/** What is asked for but doesn't come is left out after so long. */
const PATIENCE_MS = 20_000;

/** Follows the browser's own way to print. Call once, before anything else looks at the paper. */
export function startPaper(): void {
  paper.subscribe(() => {
    const now = paper.get();
    if (now === null) delete document.documentElement.dataset['paper'];
    else document.documentElement.dataset['paper'] = now;
  });
  addEventListener('beforeprint', () => paper.set('print'));
  addEventListener('afterprint', () => paper.set(null));
}

export const paperNow = (): Paper => paper.get();
export const followPaper = paper.subscribe;

export function usePaper(): Paper {
  return useStore(paper);
}

/** Opens the browser's dialog once everything is drawn as it will be on paper. Without this, what is drawn late is missing. */
export async function printWhole(element: HTMLElement): Promise<void> {
  paper.set('print');
  await drawn(element);
  print();
}

/** Makes a picture of an element as it is on paper, in the colours of the screen. */
export async function pictured<T>(element: HTMLElement, take: () => Promise<T>): Promise<T> {
  paper.set('picture');
  try {
    await drawn(element);
    return await take();
  } finally {
    paper.set(null);
  }
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Waits until nothing in the element is being loaded, and charts have followed their cards. */
async function drawn(element: HTMLElement): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  // The first frame shows what has begun to load, the others what came of it: a size is heard of after a frame, and drawn in the next one.
  for (let still = 0; still < 4 && Date.now() < end; ) {
    await frame();
    still = element.querySelector('[data-loading], .chart[data-ready="false"]') === null ? still + 1 : 0;
  }
}
