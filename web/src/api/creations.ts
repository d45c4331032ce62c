// What people make, as lists show it, and what can be done with it from there.
import { call, type Schemas } from './call';
import { dashboardOf, projectOf, savedQuery, visualizationOf } from '@/lib/paths';

export type Card = Schemas['Card'];
export type CreationKind = Card['kind'];

/** The page of a creation; null where it has none of its own. */
export function pageOf(card: Pick<Card, 'kind' | 'id' | 'queryId' | 'visualizationType'>): string | null {
  if (card.kind === 'dashboard') return dashboardOf(card.id);
  if (card.kind === 'query') return savedQuery(card.id);
  if (card.kind === 'project') return projectOf(card.id);
  if (card.kind === 'visualization' && card.queryId) return visualizationOf(card.queryId, card.visualizationType ?? '', card.id);
  return null;
}

/** What can be copied into one's own creations. */
export type ForkKind = 'dashboard' | 'query';

/** Makes a copy of one's own; answers its page. */
export async function fork(kind: ForkKind, id: string): Promise<string> {
  const body = { id };
  if (kind === 'dashboard') return dashboardOf((await call('post', '/api/dashboard/fork', { body })).id);
  return savedQuery((await call('post', '/api/query/fork', { body })).id);
}

/** Removes a creation for good. `leaving` when the page is about to close: the call then outlives it. */
export function remove(kind: CreationKind, id: string, leaving = false): Promise<unknown> {
  return call('post', `/api/${kind}/delete`, { body: { id }, keepalive: leaving });
}
