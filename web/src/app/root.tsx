// What surrounds every page: the guard, the account behind the token, failures, focus and scroll after navigation.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation, useMatches, useNavigation } from 'react-router';
import { fetchAccount } from '@/api/account';
import { ApiError } from '@/api/error';
import { guard } from '@/lib/guard';
import { setAccount, useSession } from '@/lib/session';
import { Notices } from '@/ui/notices';
import { DockHost } from './dock-host';
import { Interruptions } from './failures';
import { unknownPage } from './handle';
import { Offline } from './offline';
import { startOf } from './scroll';
import { useRouteTracking } from './tracking';
import css from './app.module.css';

export function Root() {
  const location = useLocation();
  const { token, fresh } = useSession();
  const unknown = useMatches().some((match) => match.id === unknownPage);
  useAccount();
  useArrival(location.pathname, new URLSearchParams(location.search).get('page'));
  useRouteTracking();

  const elsewhere = unknown ? null : guard(location, token === null ? 'none' : fresh ? 'fresh' : 'known', globalThis.location.origin);
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

/** After a navigation the page starts at its top (or where it was left, when it is kept alive) and readers at its heading; so does the next part, `page`, of a list. */
function useArrival(pathname: string, page: string | null) {
  const before = useRef({ pathname, page });
  // Before the browser paints, so that nobody sees the page jump.
  useLayoutEffect(() => {
    const left = before.current;
    before.current = { pathname, page };
    if (left.pathname === pathname) {
      if (left.page !== page) scrollTo(0, 0);
      return;
    }
    scrollTo(0, startOf(pathname));
    // Kept pages that are hidden have headings too.
    const heading = [...document.querySelectorAll<HTMLElement>('main h1')].find((one) => one.offsetParent !== null);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname, page]);
}

/** A thin line at the top while the next page's code loads; it waits a moment before it shows. */
function PendingBar() {
  const { state } = useNavigation();
  return state === 'loading' ? <div className={css.pending} /> : null;
}
