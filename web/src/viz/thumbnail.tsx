/** Live pictures for lists: a saved visualization drawn small from the stored result of its query; nothing is run for it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '@/api/call';
import { ApiError } from '@/api/error';
import { useTheme } from '@/lib/theme';
import type { Thumbed } from './thumbnail-draw';
import { drawThumbnail, prepareThumbnails } from './thumbnail-jobs';
import css from './thumbnail.module.css';

/** What stands for a thing: a visualization (with its query, where that is known), or the first one of a query. */
export interface ThumbnailProps {
  visualizationId?: string | null | undefined;
  queryId?: string | null | undefined;
}

const staleMs = 5 * 60_000;
/** Rows a picture is drawn from: more would not be seen. */
const most = 500;
/** A query that has not run yet is asked about again, for as long as a first run may take. */
const againMs = 10_000;
const timesAgain = 12;

export function Thumbnail({ visualizationId, queryId }: ThumbnailProps) {
  const frame = useRef<HTMLSpanElement>(null);
  const seen = useSeen(frame);
  const theme = useTheme();
  const key = ['thumbnail', visualizationId ?? null, queryId ?? null];
  const shown = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      // What draws the picture is fetched beside what it shows.
      prepareThumbnails();
      const chart = await chartOf({ visualizationId, queryId }, signal);
      const result = chart ? await resultOf(chart.queryId, signal) : null;
      return chart && result ? { viz: chart.viz, result } : null;
    },
    refetchInterval: ({ state }) => state.data === null && state.dataUpdateCount < timesAgain && againMs,
    enabled: seen && (Boolean(visualizationId) || Boolean(queryId)),
    staleTime: staleMs,
  });
  const drawn = useQuery({
    queryKey: [...key, 'drawn', theme, shown.dataUpdatedAt],
    queryFn: () => (shown.data ? drawThumbnail(shown.data.viz, shown.data.result) : null),
    enabled: Boolean(shown.data),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
  return (
    <span ref={frame} className={css.frame} aria-hidden>
      {drawn.data ? <Drawn thumbed={drawn.data} /> : null}
    </span>
  );
}

/** What to draw; null where nothing was run yet. */
async function chartOf({ visualizationId, queryId }: ThumbnailProps, signal: AbortSignal) {
  if (!queryId) {
    const chart = await call('get', '/api/visualization/detail', { query: { id: visualizationId ?? '' }, signal, quiet: true });
    // Asked for its result, a query that never ran is a failure that browsers write down; whoever may read it need not ask.
    const ran = await call('get', '/api/query/detail', { query: { id: chart.queryId }, signal, quiet: true }).then(
      ({ shown }) => shown !== null && shown !== undefined,
      () => true,
    );
    return ran ? chart : null;
  }
  const { visualizations, shown } = await call('get', '/api/query/detail', { query: { id: queryId }, signal, quiet: true });
  if (!shown) return null;
  const chosen = visualizations.find(({ id, viz }) => (visualizationId ? id === visualizationId : viz.type !== 'table'));
  return { queryId, viz: chosen?.viz ?? { type: 'table' as const, options: { columns: null } } };
}

/** The rows that viewers see; null as long as the query has not run. */
async function resultOf(id: string, signal: AbortSignal) {
  try {
    return await call('get', '/api/query/result', { query: { id, limit: most }, signal, quiet: true });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function Drawn({ thumbed }: { thumbed: Thumbed }) {
  if (thumbed.kind === 'picture') return <img className={css.picture} src={thumbed.src} alt="" />;
  if (thumbed.kind === 'number') {
    return (
      <span className={css.number}>
        <b>{thumbed.text}</b>
        <small>{thumbed.name}</small>
      </span>
    );
  }
  return (
    <span className={css.table}>
      {thumbed.rows.map((row, at) => (
        <span key={at}>
          {row.map((cell, column) => (
            <span key={column}>{cell}</span>
          ))}
        </span>
      ))}
    </span>
  );
}

/** Whether the element has been on the screen and the page had time for it: what nobody scrolls to is not drawn, and what people read and use comes first. */
function useSeen(element: React.RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (seen || !element.current) return;
    let waiting = () => {};
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watch.disconnect();
        waiting = whenIdle(() => setSeen(true));
      },
      { rootMargin: '200px' },
    );
    watch.observe(element.current);
    return () => {
      watch.disconnect();
      waiting();
    };
  }, [seen, element]);
  return seen;
}

/** Calls back when the page has nothing else to do, at the latest after a moment; returns what calls it off. */
function whenIdle(then: () => void): () => void {
  // Not every browser tells when it is idle.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(then, 200);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(then, { timeout: 2_000 });
  return () => cancelIdleCallback(asked);
}
