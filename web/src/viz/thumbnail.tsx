/** Live pictures for lists: a saved visualization drawn small from the stored result of its query; nothing is run for it. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTheme } from '@/lib/theme';
import type { Thumbed } from './thumbnail-draw';
import { drawThumbnail, prepareThumbnails } from './thumbnail-jobs';
import { shownBy, staleMs, type Pictured } from './thumbnail-rows';
import css from './thumbnail.module.css';

/** A query that has not run yet is asked about again, for as long as a first run may take. */
const againMs = 10_000;
const timesAgain = 12;

interface ThumbnailProps extends Pictured {
  /** What stands there when there is nothing to draw. */
  children?: ReactNode;
}

export function Thumbnail({ visualizationId, queryId, dashboardId, children }: ThumbnailProps) {
  const client = useQueryClient();
  const frame = useRef<HTMLSpanElement>(null);
  const seen = useSeen(frame);
  const theme = useTheme();
  const key = ['thumbnail', visualizationId ?? null, queryId ?? null, dashboardId ?? null];
  const shown = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => {
      // What draws the picture is fetched beside what it shows.
      prepareThumbnails();
      return shownBy(client, { visualizationId, queryId, dashboardId }, signal);
    },
    refetchInterval: ({ state }) => state.data === null && state.dataUpdateCount < timesAgain && againMs,
    enabled: seen && (Boolean(visualizationId) || Boolean(queryId) || Boolean(dashboardId)),
    staleTime: staleMs,
  });
  const bare = shown.isError || (shown.isSuccess && (shown.data?.result.rows.length ?? 0) === 0);
  const drawn = useQuery({
    queryKey: [...key, 'drawn', theme, shown.dataUpdatedAt],
    queryFn: () => (shown.data ? drawThumbnail(shown.data.viz, shown.data.result) : null),
    enabled: Boolean(shown.data) && !bare,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
  return (
    <span ref={frame} className={css.frame} aria-hidden>
      {bare ? children : drawn.data ? <Drawn thumbed={drawn.data} /> : null}
    </span>
  );
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
