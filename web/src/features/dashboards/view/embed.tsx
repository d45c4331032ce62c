// A dashboard in a frame on another site: no shell, no login, and only what everybody with the link may see.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { ApiError, messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { decodeId } from '@/lib/ids';
import { usePage } from '@/lib/page';
import { dashboardOf, paths } from '@/lib/paths';
import { Logo } from '@/ui/logo';
import { Empty, Failed } from '@/ui/parts';
import { useDashboard, type DashboardView, type Target } from '../api';
import { Board } from './board';
import { ParameterField } from './parameter-input';
import { Parameters, useFilterDraft } from './parameters';
import { BoardSkeleton } from './states';
import { useBoard } from './use-board';
import { WidgetCard } from './widget';
import css from './embed.module.css';

export function Component() {
  const [search] = useSearchParams();
  const id = decodeId(search.get('id'));
  return id === null ? <Navigate to={paths.notFound} replace /> : <Framed key={id} id={id} share={search.get('share') ?? undefined} />;
}

function Framed({ id, share }: { id: string; share: string | undefined }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const [target] = useState<Target>({ id, share, anonymous: true });
  const [minutes, setMinutes] = useState(0);
  const { data, error, refetch } = useDashboard(target, minutes > 0 && minutes * 60_000);
  const every = data?.content.refreshMinutes ?? 0;
  if (every !== minutes) setMinutes(every);
  usePage(data ? titleOf(data) : t('dashboards.title'));
  useEffect(() => {
    // Links in a frame lead out of it.
    const base = document.createElement('base');
    base.target = '_blank';
    document.head.append(base);
    return () => base.remove();
  }, []);
  if (error && !data) {
    const refused = error instanceof ApiError && [401, 403, 404].includes(error.status);
    return <main className={css.page}>{refused ? <Empty title={<h1>{t('dashboards.noAccessTitle')}</h1>}>{t('dashboards.embedGone')}</Empty> : <Failed message={messageOf(error)} onRetry={() => void refetch()} />}</main>;
  }
  return (
    <main className={css.page}>
      {data ? (
        <>
          <header className={css.head}>
            <h1 className="ellipsis">{titleOf(data)}</h1>
            <a href={dashboardOf(id, share)} target="_blank" rel="noopener">
              <Logo size={16} />
              {t('dashboards.openInQuarry')}
            </a>
          </header>
          <Filtered view={data} target={target} />
        </>
      ) : (
        <BoardSkeleton />
      )}
    </main>
  );
}

/** The board with its filters, whose values the address of the frame may give. */
function Filtered({ view, target }: { view: DashboardView; target: Target }) {
  const board = useBoard(target, view.content, view.shows);
  const filters = useFilterDraft(board.values);
  return (
    <>
      {board.parameters.length === 0 ? null : (
        <div className={css.filters}>
          <Parameters parameters={board.parameters} applied={board.values} filters={filters} onApply={board.apply} />
        </div>
      )}
      <Board content={view.content} shows={view.shows}>
        {(widget, show) => (
          <WidgetCard
            bare
            widget={widget}
            show={show}
            target={target}
            run={undefined}
            filtered={board.filteredBy(widget, show)}
            onRun={null}
            filter={(name) => {
              const parameter = board.parameters.find((one) => one.name === name);
              return parameter ? <ParameterField parameter={parameter} value={filters.draft[name] ?? null} onChange={(value) => filters.set(name, value)} /> : null;
            }}
          />
        )}
      </Board>
    </>
  );
}
