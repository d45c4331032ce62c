// The page of one dashboard: head, filters, board, comments.
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { ApiError, messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { useFullScreen } from '@/lib/full-screen';
import { loginPath } from '@/lib/guard';
import { decodeId } from '@/lib/ids';
import { inTime } from '@/lib/loading';
import { usePage } from '@/lib/page';
import { printWhole } from '@/lib/paper';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { useWidth } from '@/lib/width';
import { ButtonLink } from '@/ui/button';
import { Drawer } from '@/ui/drawer';
import type { MenuItem } from '@/ui/menu';
import { notify } from '@/ui/notices';
import { Part } from '@/ui/part';
import { Empty, Failed } from '@/ui/parts';
import { useDashboard, type DashboardView, type Target } from '../api';
import { Board } from './board';
import { Comments } from './comments';
import { Freshness, Head } from './head';
import { ParameterField } from './parameter-input';
import { Parameters, useFilterDraft } from './parameters';
import { BoardSkeleton, NoAccess } from './states';
import { useBoard } from './use-board';
import { useOfficialItem } from './use-official-item';
import { WidgetCard } from './widget';
import css from './page.module.css';

/** Minutes between two readings that a reader can choose; 0 is never. */
const intervals = [0, 1, 5, 15, 30, 60] as const;

export function Component() {
  const [search] = useSearchParams();
  const id = decodeId(search.get('id'));
  const share = search.get('share') ?? undefined;
  return id === null ? <Navigate to={paths.notFound} replace /> : <Opened key={`${id} ${share ?? ''}`} id={id} share={share} />;
}

function Opened({ id, share }: { id: string; share: string | undefined }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const [target] = useState<Target>({ id, share, anonymous: false });
  const [chosen, setChosen] = useState<number | null>(null);
  const [owned, setOwned] = useState(0);
  const minutes = chosen ?? owned;
  const { data, error, refetch, isFetching } = useDashboard(target, minutes > 0 && minutes * 60_000);
  const stored = data?.content.refreshMinutes ?? 0;
  if (stored !== owned) setOwned(stored);
  usePage(data ? titleOf(data) : t('dashboards.title'));
  if (error && !data) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return <NoAccess />;
    return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  }
  if (!data) return <BoardSkeleton />;
  return <Dashboard view={data} target={target} minutes={minutes} reading={isFetching} onMinutes={setChosen} onRead={() => void refetch()} />;
}

interface DashboardProps {
  view: DashboardView;
  target: Target;
  minutes: number;
  reading: boolean;
  onMinutes: (minutes: number) => void;
  onRead: () => void;
}

function Dashboard({ view, target, minutes, reading, onMinutes, onRead }: DashboardProps) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const location = useLocation();
  const signedIn = useSession().token !== null;
  const width = useWidth();
  const page = useRef<HTMLDivElement>(null);
  const full = useFullScreen(page);
  const [comments, setComments] = useState(false);
  const [saving, setSaving] = useState(false);
  const board = useBoard(target, view.content, view.shows);
  const filters = useFilterDraft(board.values);
  const widgets = view.content.widgets ?? [];
  const title = titleOf(view);

  const save = (kind: 'savePng' | 'savePdf') => {
    const shown = page.current?.querySelector<HTMLElement>('[data-sheet]');
    if (!shown || saving) return;
    setSaving(true);
    inTime(() => import('./export'))
      .then((made) => made[kind](shown, title))
      .catch((cause: unknown) => {
        console.error('The dashboard could not be saved as a file', cause);
        notify.error(t('dashboards.exportFailed'));
      })
      .finally(() => setSaving(false));
  };
  const official = useOfficialItem(view, target);
  const more: MenuItem[] = [
    ...(full.possible ? [{ key: 'full', label: t(full.on ? 'viz.leaveFullScreen' : 'viz.fullScreen'), onSelect: full.toggle }] : []),
    { key: 'png', label: t('dashboards.savePng'), onSelect: () => save('savePng') },
    { key: 'pdf', label: t('dashboards.savePdf'), onSelect: () => save('savePdf') },
    { key: 'print', label: t('dashboards.print'), onSelect: () => void (page.current && printWhole(page.current)) },
    ...intervals.map((every, at) => ({
      key: `every ${every}`,
      label: every === 0 ? t('dashboards.noAuto') : t('dashboards.autoEvery', { count: every }),
      apart: at === 0,
      icon: every === minutes ? <span aria-hidden>✓</span> : <span aria-hidden className={css.noMark} />,
      onSelect: () => onMinutes(every),
    })),
    ...official,
  ];
  const panel = (
    <Part>
      <Comments target={target} total={view.comments} onClose={() => setComments(false)} />
    </Part>
  );
  return (
    <div ref={page} className={css.page} data-comments={comments && width === 'wide'}>
      <div className={css.sheet} data-sheet>
        <Head view={view} target={target} commentsShown={comments} more={more} onComments={() => setComments(!comments)} />
        {view.notes && board.parameters.length > 0 ? <Notes view={view} /> : null}
        <div className={css.bar}>
          {view.notes && board.parameters.length === 0 ? <Notes view={view} /> : null}
          <Parameters parameters={board.parameters} applied={board.values} filters={filters} onApply={board.apply} />
          <Freshness view={view} minutes={minutes} refreshing={reading || board.refresh.busy} onRefresh={view.editable ? board.refresh.run : onRead} />
        </div>
        {view.official && !signedIn ? (
          <p className={css.prompt} data-export="no">
            <span>{t('dashboards.visitorPrompt')}</span>
            <ButtonLink size="small" kind="primary" to={loginPath(location)}>
              {t('session.logIn')}
            </ButtonLink>
            <ButtonLink size="small" to={paths.register}>
              {t('session.createAccount')}
            </ButtonLink>
          </p>
        ) : null}
        {widgets.length === 0 ? (
          <Empty title={t('dashboards.emptyTitle')}>{view.editable ? t('dashboards.emptyOwn') : t('dashboards.empty')}</Empty>
        ) : (
          <Board content={view.content} shows={view.shows}>
            {(widget, show) => (
              <WidgetCard
                widget={widget}
                show={show}
                target={target}
                run={board.runOf(widget, show)}
                filtered={board.filteredBy(widget, show)}
                onRun={board.runNow(widget, show)}
                filter={(name) => {
                  const parameter = board.parameters.find((one) => one.name === name);
                  return parameter ? <ParameterField parameter={parameter} value={filters.draft[name] ?? null} onChange={(value) => filters.set(name, value)} /> : null;
                }}
              />
            )}
          </Board>
        )}
      </div>
      {comments && width === 'wide' ? <aside className={css.aside}>{panel}</aside> : null}
      {width === 'wide' ? null : (
        <Drawer placement={width === 'narrow' ? 'bottom' : 'right'} size={width === 'narrow' ? '80dvh' : 360} open={comments} closable={false} aria-label={t('dashboards.comments.title')} styles={{ body: { padding: 0 } }} onClose={() => setComments(false)}>
          {panel}
        </Drawer>
      )}
    </div>
  );
}

function Notes({ view }: { view: DashboardView }) {
  const titleOf = useTitles();
  return <p className={css.notes}>{titleOf({ title: view.notes, titleZh: view.notesZh ?? null })}</p>;
}
