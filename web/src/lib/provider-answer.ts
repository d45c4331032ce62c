// What a provider of OpenID Connect sent the browser back with. It is taken out of the address before anything keeps or reports that.
import { safeRedirect } from './guard';
import { paths } from './paths';

/** A code that the server exchanges, or null for a person whom the provider did not let in, or who turned back there. */
export type ProviderAnswer = { code: string; state: string } | null;

/** Where a log-in leads, while the person is at the provider: in this tab alone. */
const targetKey = 'quarry-after-login';
let answer: ProviderAnswer | undefined;

/** Call once, before anything reads the address. */
export function startProviderAnswer(): void {
  const search = new URLSearchParams(location.search);
  const [code, state] = [search.get('code'), search.get('state')];
  if (location.pathname !== paths.provider || state === null || (code === null && !search.has('error'))) return;
  answer = code === null ? null : { code, state };
  history.replaceState(history.state, '', paths.provider);
}

/** The answer, once; undefined without one. */
export function takeProviderAnswer(): ProviderAnswer | undefined {
  const taken = answer;
  answer = undefined;
  return taken;
}

export function keepTarget(target: string): void {
  try {
    sessionStorage.setItem(targetKey, target);
  } catch {
    // The log-in then leads home.
  }
}

/** Where the log-in leads, on this site. */
export function takeTarget(): string {
  try {
    const target = sessionStorage.getItem(targetKey);
    sessionStorage.removeItem(targetKey);
    return safeRedirect(target, location.origin);
  } catch {
    return paths.home;
  }
}
