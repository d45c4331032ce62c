// Tells the server which pages people open and what they click, one event a call, when the page has nothing better to do.
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { reportClick, reportRoute } from '@/api/tracking';
import { clickOf } from '@/lib/click';

/** A page that is clicked wildly reports no more than this at a time. */
const mostWaiting = 20;
const waiting: (() => Promise<unknown>)[] = [];
let sending = false;

function later(send: () => Promise<unknown>): void {
  if (waiting.length >= mostWaiting) return;
  waiting.push(send);
  if (!sending) whenIdle(() => void sendAll());
  sending = true;
}

async function sendAll(): Promise<void> {
  for (let send = waiting.shift(); send !== undefined; send = waiting.shift()) {
    // What could not be reported is lost: nobody waits for it.
    await send().catch(() => undefined);
  }
  sending = false;
}

function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 5_000 });
  else setTimeout(run, 200);
}

/** Reports every navigation with how long the page before it was looked at. */
export function useRouteTracking(): void {
  const location = useLocation();
  const before = useRef({ url: '', title: '', since: 0 });
  useEffect(() => {
    const now = { url: location.pathname + location.search, title: document.title, since: performance.now() };
    const { url, title, since } = before.current;
    if (url === now.url) return;
    before.current = now;
    const browsed = url === '' ? 0 : Math.round(now.since - since);
    later(() => reportRoute({ preUrl: url, preTitle: title, currentUrl: now.url, currentTitle: now.title, prepageBrowseTimeMs: browsed, prepageBrowseTimeS: browsed / 1000 }));
  }, [location]);
}

/** Starts reporting clicks on links and controls. Call once. */
export function startClickTracking(): void {
  addEventListener(
    'click',
    (event) => {
      const click = clickOf(event.target);
      if (click) later(() => reportClick({ ...click, currentUrl: location.pathname + location.search, triggerType: 'click' }));
    },
    { capture: true, passive: true },
  );
}
