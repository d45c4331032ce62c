// `/user/my-dashboard`: the list of one's own, and with an id the editor.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { ApiError, messageOf } from '@/api/error';
import { decodeId } from '@/lib/ids';
import { loginPath } from '@/lib/guard';
import { usePage } from '@/lib/page';
import { dashboardOf, editDashboard, paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { useWidth } from '@/lib/width';
import { ButtonLink } from '@/ui/button';
import { Empty, Failed } from '@/ui/parts';
import { createDashboard, useDashboard, type DashboardView, type Target } from '../api';
import { BoardSkeleton, NoAccess } from '../view/states';
import { Mine } from './mine';
import { Workspace } from './workspace';
import css from './edit.module.css';

export function Component() {
  const [search] = useSearchParams();
  const { token } = useSession();
  const wanted = search.get('id');
  const id = decodeId(wanted);
  if (wanted !== null && id === null) return <Navigate to={paths.notFound} replace />;
  if (token === null) return <Visitor />;
  if (id !== null) return <Opened key={id} id={id} />;
  return search.has('new') ? <Create /> : <Mine />;
}

function Visitor() {
  const { t } = useTranslation();
  usePage(t('dashboards.mine.title'));
  const location = useLocation();
  return (
    <div className={css.narrow}>
      <Empty
        title={<h1>{t('dashboards.mine.title')}</h1>}
        actions={
          <>
            <ButtonLink kind="primary" to={loginPath(location)}>
              {t('session.logIn')}
            </ButtonLink>
            <ButtonLink to={paths.register}>{t('session.createAccount')}</ButtonLink>
          </>
        }
      >
        {t('dashboards.mine.visitor')}
      </Empty>
    </div>
  );
}

/** The editor reaches the edges of the page, what stands in its place does not. */
function Waiting() {
  return (
    <div className={css.narrow}>
      <BoardSkeleton />
    </div>
  );
}

/** Makes a dashboard once for each time somebody comes here. */
function Create() {
  const { t } = useTranslation();
  const { key } = useLocation();
  usePage(t('dashboards.mine.new'));
  const { data, error, refetch } = useQuery({ queryKey: ['new dashboard', key], queryFn: () => createDashboard({ title: t('dashboards.mine.untitled') }), staleTime: Infinity, gcTime: Infinity });
  if (error) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  return data ? <Navigate to={editDashboard(data.id)} replace /> : <Waiting />;
}

function Opened({ id }: { id: string }) {
  const { t } = useTranslation();
  const [target] = useState<Target>({ id, share: undefined, anonymous: false });
  const [first, setFirst] = useState<DashboardView>();
  const { data, error, refetch, isFetchedAfterMount } = useDashboard(target);
  const width = useWidth();
  const trail = useMemo(() => [{ title: t('dashboards.mine.title'), to: paths.myDashboards }], [t]);
  usePage(first?.title ?? t('dashboards.title'), trail);
  // The editor starts from the server's present state and then goes its own way.
  if (first === undefined && data && isFetchedAfterMount) setFirst(data);
  if (error && !first) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return <NoAccess />;
    return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  }
  if (!first) return <Waiting />;
  if (!first.editable) return <Navigate to={dashboardOf(id)} replace />;
  if (width === 'narrow') {
    return (
      <div className={css.narrow}>
        <Empty title={<h1>{t('dashboards.edit.tooNarrowTitle')}</h1>} actions={<ButtonLink kind="primary" to={dashboardOf(id)}>{t('dashboards.edit.look')}</ButtonLink>}>
          {t('dashboards.edit.tooNarrow')}
        </Empty>
      </div>
    );
  }
  return <Workspace view={first} target={target} />;
}
