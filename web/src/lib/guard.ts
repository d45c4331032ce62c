// Who may open which page, and where a login leads back to.
import { paths } from './paths';

/** Pages a visitor may open, as the specification lists them, and ours of the same kind; the rest asks for a login. */
const open = new Set([
  '/',
  '/404',
  '/home',
  '/start',
  '/auth/login',
  '/auth/register',
  '/auth/forget',
  '/auth/provider',
  '/official/dashboards',
  '/official/dashboards/visualization',
  '/community/discover',
  '/user/dashboards-and-queries',
  '/user/dashboard',
  '/user/query',
  '/user/my-query',
  '/user/my-dashboard',
  '/tags',
  '/projects',
  '/projects/detail',
  '/whitePage/preview',
  '/DeFi/paper',
  '/DAppRanking',
  '/community/address',
  '/blog',
  '/pricing',
]);
/** Besides the documentation: what is shown in frames on other sites. */
const openParts = ['/platform', '/developer-apis', '/embed'];

export function isOpen(path: string): boolean {
  const plain = path.length > 1 ? path.replace(/\/+$/, '') : path;
  if (open.has(plain) || plain.includes('visualization_model')) return true;
  return openParts.some((part) => plain === part || plain.startsWith(`${part}/`));
}

const entrances: string[] = [paths.login, paths.register];

/** The popup with a failed call's message stays away from these pages: they show it in their form. */
export function isAuthPage(path: string): boolean {
  return /^\/auth\/(login|register|forget|reset|provider)\/?$/.test(path);
}

export interface Place {
  pathname: string;
  search: string;
  hash: string;
}

/**
 * Where to send a person who opens `place` instead, or null when the page may be shown. Who has just logged in goes on
 * to where the login leads; who was logged in already has no use for an entrance.
 */
export function guard(place: Place, login: 'none' | 'known' | 'fresh', origin: string): string | null {
  if (login === 'none') return isOpen(place.pathname) ? null : loginPath(place);
  if (!entrances.includes(place.pathname)) return null;
  return login === 'fresh' ? safeRedirect(new URLSearchParams(place.search).get('redirect'), origin) : '/';
}

/** The login page, leading back to `place` afterwards. */
export function loginPath(place: Place): string {
  return `${paths.login}?redirect=${encodeURIComponent(place.pathname + place.search + place.hash)}`;
}

/** A `redirect` of a link if it stays on this site and is no entrance itself, else the home page. */
export function safeRedirect(redirect: string | null, origin: string): string {
  if (!redirect?.startsWith('/') || redirect.startsWith('//')) return paths.home;
  // Browsers read a backslash as a slash and drop control characters, so `/\evil.com` would leave the site.
  if (/[\\\p{Cc}]/u.test(redirect)) return paths.home;
  let url: URL;
  try {
    url = new URL(redirect, origin);
  } catch {
    return paths.home;
  }
  if (url.origin !== origin || url.pathname.startsWith('//') || isAuthPage(url.pathname)) return paths.home;
  return url.pathname + url.search + url.hash;
}
