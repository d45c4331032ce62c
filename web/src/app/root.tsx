// What surrounds every page: the guard, the account behind the token, failures, focus and scroll after navigation.
import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { Navigate, Outlet, UNSAFE_DataRouterStateContext as DataRouterStateContext, useLocation, useMatches, useNavigation, useNavigationType, type Location } from 'react-router';
import { fetchAccount } from '@/api/account';
import { ApiError } from '@/api/error';
import { guard } from '@/lib/guard';
import { setAccount, useSession } from '@/lib/session';
import { Notices } from '@/ui/notices';
import { DockHost } from './dock-host';
import { Interruptions } from './failures';
import { unknownPage, type RouteHandle } from './handle';
import { Offline } from './offline';
import { startOf, staysInVisit } from './scroll';
import { useRouteTracking } from './tracking';
import css from './app.module.css';

export function Root() {
  const location = useLocation();
  const { token, fresh } = useSession();
  const unguarded = useMatches().some(({ id, handle }) => id === unknownPage || (handle as RouteHandle | undefined)?.leadsOn === true);
  useAccount();
  useArrival(location);
  useRouteTracking();

  const elsewhere = unguarded ? null : guard(location, token === null ? 'none' : fresh ? 'fresh' : 'known', globalThis.location.origin);
  return (
    <>
      <PendingBar />
      {elsewhere === null ? <Outlet /> : <Navigate to={elsewhere} replace />}
      <Offline />
      <DockHost />
      <Notices />
      <Interruptions />
    </>
  );
}

const mostTries = 5;

/** Asks the server whose token this is, once per token. */
function useAccount() {
  const { token, account } = useSession();
  const { data } = useQuery({
    queryKey: ['account', token],
    queryFn: ({ signal }) => fetchAccount(signal),
    enabled: token !== null && account === null,
    staleTime: Infinity,
    // Without it the whole page stands still: what passes is asked for again.
    retry: (failures, error) => failures < mostTries && error instanceof ApiError && (error.status === 429 || error.status >= 500),
    retryDelay: (failures) => 1_000 * 2 ** failures,
  });
  useEffect(() => {
    if (data) setAccount(data);
  }, [data]);
}

/** After a navigation the page starts at its top (or where it was left, when it is kept alive) and readers at its heading. What they choose inside of a page leaves them where they are; the next part, `page`, of a list starts at the top. */
function useArrival(location: Location) {
  const { pathname, search, hash, key } = location;
  const how = useNavigationType();
  const inside = useContext(DataRouterStateContext)?.preventScrollReset === true;
  const before = useRef({ pathname, search, key });
  // Before the browser paints, so that nobody sees the page jump.
  useLayoutEffect(() => {
    const left = before.current;
    if (left.key === key) return;
    before.current = { pathname, search, key };
    const stays = staysInVisit(left.key, key, how, inside && left.pathname === pathname);
    if (left.pathname === pathname) {
      if (pageOf(left.search) !== pageOf(search) || (!stays && hash === '')) scrollTo(0, 0);
      return;
    }
    scrollTo(0, startOf(pathname));
    // Kept pages that are hidden have headings too.
    const heading = [...document.querySelectorAll<HTMLElement>('main h1')].find((one) => one.offsetParent !== null);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname, search, hash, key, how, inside]);
}

/** Which part of a list is on show. */
const pageOf = (search: string): string | null => new URLSearchParams(search).get('page');

/** A thin line at the top while the next page's code loads; it waits a moment before it shows. */
function PendingBar() {
  const { state } = useNavigation();
  return state === 'loading' ? <div className={css.pending} /> : null;
}
