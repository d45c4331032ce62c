// Where a page starts after a navigation.
import { NavigationType } from 'react-router';

const places = new Map<string, number>();

/** Pages say themselves where they start, also after going back; only a reload is left to the browser. Call once. */
export function startScrolling(): void {
  const say = (who: ScrollRestoration) => () => {
    history.scrollRestoration = who;
  };
  addEventListener('pagehide', say('auto'));
  // Of a page that the browser kept whole, too.
  addEventListener('pageshow', say('manual'));
  say('manual')();
}

/** Remembers where the page of `path` is scrolled to, until the returned function is called. */
export function watchScroll(path: string): () => void {
  const remember = () => places.set(path, scrollY);
  addEventListener('scroll', remember, { passive: true });
  return () => removeEventListener('scroll', remember);
}

/** Where a page starts: at its top, or where it was left. */
export function startOf(path: string): number {
  return places.get(path) ?? 0;
}

/** Entries of the history, by their keys, that belong to one visit of a page: its tabs and filters make more of them. */
const visits = new Map<string, number>();
let newest = 0;

function visitOf(key: string): number {
  const known = visits.get(key) ?? ++newest;
  visits.set(key, known);
  return known;
}

/**
 * Whether a navigation between two addresses of one page leaves readers where they are: they chose something inside of the
 * page (`inside`), or go back to before they did. Every other one leads to the top.
 */
export function staysInVisit(from: string, to: string, how: NavigationType, inside: boolean): boolean {
  if (how === NavigationType.Pop) return visitOf(from) === visitOf(to);
  const stays = inside || how === NavigationType.Replace;
  visits.set(to, stays ? visitOf(from) : ++newest);
  return stays;
}
