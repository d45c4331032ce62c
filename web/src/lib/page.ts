// What the page on show is called: for the window's title, the header's path, and navigation events.
import { useLayoutEffect } from 'react';
import { createStore, useStore } from './store';

export interface PageInfo {
  title: string;
  /** The pages above this one, outermost first. */
  trail: { title: string; to: string }[];
}

const noTrail: PageInfo['trail'] = [];
const page = createStore<PageInfo>({ title: '', trail: noTrail });

export function usePageInfo(): PageInfo {
  return useStore(page);
}

/** Names the page while the component is mounted. Pass a trail that stays the same object between renders. */
export function usePage(title: string, trail: PageInfo['trail'] = noTrail): void {
  // Before the page is painted: nobody sees it, or finds its text, under the name of the page before.
  useLayoutEffect(() => {
    page.set({ title, trail });
    document.title = title === '' ? 'Quarry' : `${title} · Quarry`;
  }, [title, trail]);
}
