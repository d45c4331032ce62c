/** The worker behind `thumbnail-jobs.ts`: draws one thumbnail after another, so that the page stays free to scroll and type. */
import { thumbnailOf } from './thumbnail-draw';
import type { ThumbnailAnswer, ThumbnailJob } from './thumbnail-jobs';

addEventListener('message', ({ data }: MessageEvent<ThumbnailJob>) => {
  thumbnailOf(data.viz, data.result, data.look).then(
    (thumbed) => postMessage({ number: data.number, thumbed } satisfies ThumbnailAnswer),
    (error: unknown) => postMessage({ number: data.number, failed: String(error) } satisfies ThumbnailAnswer),
  );
});
