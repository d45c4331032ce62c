// How the dashboard will look, also what is not saved yet, on wide and on small screens.
import { Segmented } from 'antd';
import { Pencil } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { ApiError, messageOf } from '@/api/error';
import { decodeId } from '@/lib/ids';
import { usePage } from '@/lib/page';
import { dashboardOf, editDashboard, paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty, Failed } from '@/ui/parts';
import { useDashboard, usePreview, type DashboardView, type Target } from '../api';
import { contentOf, documentOf, shownKey } from '../model/document';
import { readDraft } from '../model/drafts';
import { Board } from '../view/board';
import { ParameterField } from '../view/parameter-input';
import { Parameters, useFilterDraft } from '../view/parameters';
import { BoardSkeleton, NoAccess } from '../view/states';
import { useBoard } from '../view/use-board';
import { WidgetCard } from '../view/widget';
import css from './edit.module.css';

export function Component() {
  const [search] = useSearchParams();
  const id = decodeId(search.get('id'));
  return id === null ? <Navigate to={paths.notFound} replace /> : <Opened key={id} id={id} />;
}

function Opened({ id }: { id: string }) {
  const { t } = useTranslation();
  const [target] = useState<Target>({ id, share: undefined, anonymous: false });
  const { data, error, refetch } = useDashboard(target);
  const trail = useMemo(() => [{ title: t('dashboards.mine.title'), to: paths.myDashboards }], [t]);
  usePage(data ? t('dashboards.edit.previewOf', { title: data.title }) : t('dashboards.edit.preview'), trail);
  if (error && !data) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return <NoAccess />;
    return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  }
  return data ? <Preview view={data} target={target} /> : <BoardSkeleton />;
}

function Preview({ view, target }: { view: DashboardView; target: Target }) {
  const { t } = useTranslation();
  const [narrow, setNarrow] = useState(false);
  const [document] = useState(() => readDraft(view.id)?.document ?? documentOf(view));
  const content = useMemo(() => contentOf(document), [document]);
  const shows = usePreview(content, shownKey(document)).data?.shows ?? view.shows;
  const board = useBoard(target, content, shows);
  const filters = useFilterDraft(board.values);
  return (
    <div className={css.preview}>
      <header className={css.previewBar}>
        <h1>{t('dashboards.edit.previewOf', { title: document.title })}</h1>
        <Segmented
          aria-label={t('dashboards.edit.screen')}
          value={narrow ? 'narrow' : 'wide'}
          onChange={(value) => setNarrow(value === 'narrow')}
          options={[
            { value: 'wide', label: t('dashboards.edit.desktop') },
            { value: 'narrow', label: t('dashboards.edit.mobile') },
          ]}
        />
        <ButtonLink to={editDashboard(view.id)} icon={<Pencil size={16} strokeWidth={1.6} />}>
          {t('dashboards.edit.goOn')}
        </ButtonLink>
        <ButtonLink kind="primary" to={dashboardOf(view.id)}>
          {t('dashboards.edit.done')}
        </ButtonLink>
      </header>
      <div className={css.previewPage} data-narrow={narrow}>
        <Parameters parameters={board.parameters} applied={board.values} filters={filters} onApply={board.apply} />
        {document.widgets.length === 0 ? (
          <Empty title={t('dashboards.emptyTitle')}>{t('dashboards.edit.empty')}</Empty>
        ) : (
          <Board content={content} shows={shows}>
            {(widget, show) => (
              <WidgetCard
                widget={widget}
                show={show}
                target={target}
                editing
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
    </div>
  );
}
