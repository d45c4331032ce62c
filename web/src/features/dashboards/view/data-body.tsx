// What a widget draws from a query's result: the rows that viewers see, or those of a run that this page started.
import { Play } from 'lucide-react';
import { useMemo, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { isActive, type Job } from '@/api/jobs';
import { useFailures } from '@/i18n/failures';
import { useNear } from '@/lib/near';
import { useJobState } from '@/live/use-job-state';
import { Button } from '@/ui/button';
import { Empty, Failed, ProgressBar, Skeleton } from '@/ui/parts';
import { FigureFrame, type FigureActions } from '@/viz/frame';
import { LogInToView } from '@/viz/log-in-to-view';
import { isPlain, PlainActions } from '@/viz/plain-actions';
import { vizType } from '@/viz/registry';
import type { ResultTable, VizId } from '@/viz/types';
import { useShownTable, type ShownSource } from '@/viz/use-shown-table';
import { FilterFailed, filteredRows, jobRows, queryRows, widgetRows, type Target, type Widget, type WidgetShows } from '../api';
import type { Run } from '../model/use-runs';
import css from './board.module.css';

export interface DataParts {
  target: Target;
  /** The board is being edited: widgets may not be on the server yet, so rows are read from their queries. */
  editing?: boolean;
  /** The run whose rows take the place of those that viewers see. */
  run: Run | undefined;
  /** Values of the dashboard's filters that the server applies, for readers who can't run the query; null without any. */
  filtered: Record<string, unknown> | null;
  /** Runs the query of the widget; null where the reader may not. */
  onRun: (() => void) | null;
}

interface DataBodyProps extends DataParts {
  widget: Widget;
  show: WidgetShows | undefined;
  title: string;
  asTable: boolean;
  actions: Ref<FigureActions>;
}

export function DataBody({ widget, show, title, asTable, actions, target, editing = false, run, filtered, onRun }: DataBodyProps) {
  const { t } = useTranslation();
  const tell = useFailures();
  const place = useRef<HTMLDivElement>(null);
  const near = useNear(place);
  const { job, failed: lost } = useJobState(run?.jobId ?? null);
  const done = job?.state === 'SUCCEEDED' ? job.jobId : null;
  const shownJob = show?.shown?.jobId ?? null;
  const queryId = show?.queryId ?? null;
  const values = filtered === null ? null : JSON.stringify(filtered);
  const source = useMemo<ShownSource | null>(() => {
    if (done !== null) return jobRows(done);
    if (values !== null) return filteredRows(target, widget.id, JSON.parse(values) as Record<string, unknown>, shownJob);
    if (shownJob === null) return null;
    return editing && queryId !== null ? queryRows(queryId, shownJob) : widgetRows(target, widget.id, shownJob);
  }, [done, values, shownJob, editing, queryId, target, widget.id]);

  const viz = drawnAs(widget, show);
  const { table: fresh, cutAt, error, retry } = useShownTable(near ? source : null, viz.type);
  // The rows of before stay on show until the new ones are here.
  const [kept, setKept] = useState<ResultTable>();
  if (fresh && fresh !== kept) setKept(fresh);
  const table = fresh ?? kept;

  const running = run !== undefined && run.error === null && lost === null && (job === undefined || isActive(job.state));
  const filtering = values !== null && done === null && fresh === undefined && error === null;
  const failure = run?.error ?? (lost ? messageOf(lost.error) : job?.state === 'FAILED' ? tell(job) : job?.state === 'KILLED' ? t('dashboards.killed') : null);
  const small = viz.type === 'counter';
  return (
    <div ref={place} className={css.body} data-kind={small ? 'counter' : viz.type === 'table' ? 'table' : 'chart'} data-old={(running || filtering) && table !== undefined} data-ready={table !== undefined} data-viz={viz.type}>
      {failure !== null ? (
        <div className={css.middle}>
          <Failed message={failure} onRetry={lost?.retry ?? onRun ?? retry} />
        </div>
      ) : error && (!table || values !== null) ? (
        <div className={css.middle}>
          <Failed message={error instanceof FilterFailed ? t('dashboards.filterFailed') : messageOf(error)} onRetry={retry} />
        </div>
      ) : fresh?.total === 0 && cutAt !== null ? (
        <div className={css.middle}>
          <LogInToView leads={!target.anonymous} />
        </div>
      ) : table ? (
        <Drawn table={table} type={viz.type} options={viz.options} title={title} asTable={asTable} actions={actions} />
      ) : source === null && show !== undefined && !running ? (
        <NotRun onRun={onRun} />
      ) : (
        <Skeleton height="100%" width="100%" />
      )}
      {running || (filtering && table !== undefined) ? <Running job={job} title={title} /> : null}
    </div>
  );
}

function drawnAs(widget: Widget, show: WidgetShows | undefined): { type: VizId; options: object } {
  if (widget.content.type === 'counter') return { type: 'counter', options: widget.content.options ?? {} };
  const viz = show?.visualization;
  return viz ? { type: viz.type, options: viz.options } : { type: 'table', options: {} };
}

interface DrawnProps {
  table: ResultTable;
  type: VizId;
  options: object;
  title: string;
  asTable: boolean;
  actions: Ref<FigureActions>;
}

function Drawn({ table, type, options, title, asTable, actions }: DrawnProps) {
  const { View } = vizType(type);
  const frame = useMemo(() => ({ asTable, ref: actions }), [asTable, actions]);
  return (
    <FigureFrame value={frame}>
      {isPlain(type) ? <PlainActions table={table} title={title} actions={actions} /> : null}
      <View table={table} stored={options} title={title} />
    </FigureFrame>
  );
}

function NotRun({ onRun }: { onRun: (() => void) | null }) {
  const { t } = useTranslation();
  return (
    <div className={css.middle}>
      <Empty
        icon={null}
        title={t('common.noData')}
        actions={
          onRun ? (
            <Button size="small" icon={<Play size={15} strokeWidth={1.6} />} onClick={onRun}>
              {t('dashboards.run')}
            </Button>
          ) : undefined
        }
      >
        {t('dashboards.notRun')}
      </Empty>
    </div>
  );
}

/** How far a widget's run is; said when it begins and ends, not at every step. */
function Running({ job, title }: { job: Job | undefined; title: string }) {
  const { t } = useTranslation();
  const percent = job?.detail?.percent ?? null;
  return (
    <div className={css.running}>
      <span aria-hidden>{percent === null ? t('dashboards.running') : t('dashboards.runningAt', { percent: Math.floor(percent) })}</span>
      <ProgressBar percent={percent} label={t('dashboards.runningOf', { title })} />
      <span className="visually-hidden" role="status">
        {t('dashboards.runningOf', { title })}
      </span>
    </div>
  );
}
