/** Has thumbnails drawn by a worker: loading the drawing code and drawing would keep the page from answering for long. */
import type { Schemas } from '@/api/call';
import { readLook, type ChartLook } from '@/ui/chart-look';
import type { Thumbed } from './thumbnail-draw';

/** What the worker is told. */
export interface ThumbnailJob {
  readonly number: number;
  readonly viz: Schemas['Viz'];
  readonly result: Schemas['ShownRows'];
  readonly look: ChartLook;
}

/** What it says about the job of the same number. */
export type ThumbnailAnswer = { readonly number: number } & ({ readonly thumbed: Thumbed } | { readonly failed: string });

/** Drawn larger than it is shown, so that curves stay fine on dense screens. */
const size = { clientWidth: 240, clientHeight: 108 };

interface Waiting {
  readonly resolve: (thumbed: Thumbed) => void;
  readonly reject: (error: Error) => void;
}

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let jobs = 0;

/** Begins to load the drawing code, unless it is there. */
export function prepareThumbnails(): Worker {
  worker ??= start();
  return worker;
}

/** Draws in the page's colours as they are now. */
export function drawThumbnail(viz: Schemas['Viz'], result: Schemas['ShownRows']): Promise<Thumbed> {
  return new Promise((resolve, reject) => {
    jobs += 1;
    waiting.set(jobs, { resolve, reject });
    prepareThumbnails().postMessage({ number: jobs, viz, result, look: { ...readLook(1, size), still: true } } satisfies ThumbnailJob);
  });
}

function start(): Worker {
  const started = new Worker(new URL('./thumbnail-worker.ts', import.meta.url), { type: 'module', name: 'thumbnails' });
  started.addEventListener('message', ({ data }: MessageEvent<ThumbnailAnswer>) => {
    const job = waiting.get(data.number);
    waiting.delete(data.number);
    if ('thumbed' in data) job?.resolve(data.thumbed);
    else job?.reject(new Error(data.failed));
  });
  // Its code could not be loaded: the next wish tries again.
  started.addEventListener('error', () => {
    started.terminate();
    worker = null;
    for (const { reject } of waiting.values()) reject(new Error('The code that draws thumbnails could not be loaded.'));
    waiting.clear();
  });
  return started;
}
