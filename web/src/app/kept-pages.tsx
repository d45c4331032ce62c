// Pages that are kept alive between visits: they stay mounted, hidden, and come back as they were left.
import { Activity, useLayoutEffect, useState, type ReactNode } from 'react';
import { Navigate, NavigationType, UNSAFE_LocationContext as LocationContext, useLocation, useMatches, useNavigationType, useOutlet, type Location } from 'react-router';
import { Part } from '@/ui/part';
import type { RouteHandle } from './handle';
import { watchScroll } from './scroll';

interface Kept {
  page: ReactNode;
  /** What the page believes the address is: what others do to the address while it is hidden is not its business. */
  location: Location;
}

interface State {
  /** The address that the rest was made for. */
  at: Location;
  /** By path. */
  kept: ReadonlyMap<string, Kept>;
  /** The filters a page was left with, when a bare link led back to it. */
  wanted: string | null;
}

/** Stands in place of `<Outlet />`: shows the page of the address, and keeps those whose route says `keepAlive`. */
export function KeptPages() {
  const outlet = useOutlet();
  const location = useLocation();
  const pushed = useNavigationType() === NavigationType.Push;
  const keeps = useMatches().some((match) => (match.handle as RouteHandle | undefined)?.keepAlive === true);
  const [state, setState] = useState<State>(() => next({ at: location, kept: new Map(), wanted: null }, location, outlet, keeps, false));
  if (state.at !== location) setState(next(state, location, outlet, keeps, pushed));
  return (
    <>
      {[...state.kept].map(([path, kept]) => {
        const shown = keeps && path === location.pathname;
        return (
          <Activity key={path} mode={shown ? 'visible' : 'hidden'}>
            <KeptPage path={path} location={kept.location}>
              <Part page of={[kept.location.key]}>{shown ? outlet : kept.page}</Part>
            </KeptPage>
          </Activity>
        );
      })}
      {!keeps && <Part page of={[location.key]}>{outlet}</Part>}
      {state.wanted !== null && <Navigate to={location.pathname + state.wanted} replace />}
    </>
  );
}

function next({ at, kept }: State, location: Location, page: ReactNode, keeps: boolean, pushed: boolean): State {
  if (!keeps) return { at: location, kept, wanted: null };
  const left = kept.get(location.pathname)?.location;
  const bare = pushed && at.pathname !== location.pathname && location.search === '';
  const back = bare && left !== undefined && left.search !== '' ? left : null;
  return { at: location, kept: new Map(kept).set(location.pathname, { page, location: back ?? location }), wanted: back?.search ?? null };
}

function KeptPage({ path, location, children }: { path: string; location: Location; children: ReactNode }) {
  const navigationType = useNavigationType();
  useLayoutEffect(() => watchScroll(path), [path]);
  return <LocationContext.Provider value={{ location, navigationType }}>{children}</LocationContext.Provider>;
}
