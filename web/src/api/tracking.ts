// Tracking events: which pages are opened and what is clicked.
import { fingerprint } from '@/lib/fingerprint';
import { getSession } from '@/lib/session';
import { call, type Schemas } from './call';

type Event<T> = Omit<T, 'fingerprint' | 'user' | 'anonymous'>;

/** Who does it; the server trusts the token, not this. */
function who() {
  const { account, token } = getSession();
  return { fingerprint: fingerprint(), user: account?.name ?? '', anonymous: token === null };
}

export const reportRoute = (event: Event<Schemas['RouteReport']>): Promise<unknown> => call('post', '/api/front-track/route', { body: { ...event, ...who() }, quiet: true });

export const reportClick = (event: Event<Schemas['ClickReport']>): Promise<unknown> => call('post', '/api/front-track/trigger', { body: { ...event, ...who() }, quiet: true });
