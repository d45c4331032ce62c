// What routes say about themselves.

export type Layout = 'page' | 'workbench';

/** How the shell shows a page: a workbench has the narrow rail and no page padding. */
export interface RouteHandle {
  layout?: Layout | ((search: URLSearchParams) => Layout);
  /** The page stays mounted while others are shown, and comes back with its filters and where it was scrolled to. */
  keepAlive?: boolean;
  /** It only leads on to another page, which says itself who may see it. */
  leadsOn?: boolean;
}

/** The id of the route that takes every address that is no page. */
export const unknownPage = 'unknown';
