/** The query page for one draft: tables, editor, run bar, result and chart builder, laid out by the room there is. */
import { Drawer, Segmented } from 'antd';
import { lazy, Suspense, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loginPath } from '@/lib/guard';
import { useSession } from '@/lib/session';
import { paths } from '@/lib/paths';
import { useWidth } from '@/lib/width';
import { EMPTY_CATALOGUE } from '@/query-kinds/catalogue';
import { queryKinds } from '@/query-kinds/registry';
import type { EditorCursor, EditorHandle } from '@/ui/editor/editor';
import { Button, ButtonLink } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/ui/notices';
import { Empty, Skeleton } from '@/ui/parts';
import { Splitter } from '@/ui/splitter';
import { useJobState } from '@/live/use-job-state';
import { useDrawnTable, useFetchRows, useResult } from '@/viz/use-result-table';
import { useCatalogue } from '../api';
import { emptyDraft } from '../model/drafts';
import { LIMITS, useSizes } from '../model/sizes';
import { useCharts } from '../model/use-charts';
import type { DraftStore } from '../model/use-draft';
import { useRun } from '../model/use-run';
import { Builder } from './builder';
import { ErrorCard } from './error-card';
import { LogPanel } from './log-panel';
import { RESULT_TAB, ResultPanel } from './result-panel';
import { RunBar } from './run-bar';
import { SchemaBrowser } from './schema-browser';
import { StatusBar } from './status-bar';
import { Toolbar } from './toolbar';
import css from './workbench.module.css';

const Editor = lazy(() => import('@/ui/editor/editor').then(({ Editor: component }) => ({ default: component })));
const PANES = ['schema', 'editor', 'result', 'builder'] as const;
type Pane = (typeof PANES)[number];
const doubleEscapeMs = 700;

export function Workbench({ store }: { store: DraftStore }) {
  const { t } = useTranslation();
  const { draft, update } = store;
  const width = useWidth();
  const location = useLocation();
  const visitor = useSession().token === null;
  const kind = queryKinds.find((one) => one.id === draft.kind) ?? queryKinds[0];
  const catalogue = useCatalogue().data ?? EMPTY_CATALOGUE;
  const language = useMemo(() => kind.language(catalogue), [kind, catalogue]);
  const editor = useRef<EditorHandle>(null);
  const [cursor, setCursor] = useState<EditorCursor>({ line: 1, column: 1, selected: 0 });
  const [sizes, setSizes] = useSizes();
  const [pane, setPane] = useState<Pane>('editor');
  const [open, setOpen] = useState({ schema: false, builder: width === 'wide' });
  const [logShown, setLogShown] = useState(false);
  /** The job whose end was asked for and is not yet confirmed. */
  const [stopping, setStopping] = useState<string | null>(null);
  const escapedAt = useRef(-doubleEscapeMs);

  const run = useRun(draft, update);
  const resultJob = useJobState(draft.resultJob).job;
  const result = useResult(visitor ? null : draft.resultJob);
  const fetchRows = useFetchRows(draft.resultJob, result.data);
  const charts = useCharts(draft, update, RESULT_TAB);
  const table = useDrawnTable(draft.resultJob, result.data, fetchRows, draft.charts.length > 0 || open.builder);
  const percent = run.job?.detail?.percent;
  const confirming = run.active && stopping !== null && stopping === run.job?.jobId;

  const start = () => {
    if (visitor || run.active || run.sending || !editor.current) return;
    const { text, from } = editor.current.selection();
    if (text.trim() === '') return;
    run.start(text, from);
    charts.setTab(charts.tab);
    if (width === 'narrow') setPane('result');
  };

  const format = () => {
    if (visitor) return;
    kind.format(draft.text).then(
      (text) => text !== draft.text && editor.current?.replaceAll(text),
      () => notify.error(t('queries.tool.formatFailed')),
    );
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && run.active && !confirming) {
      const now = performance.now();
      if (now - escapedAt.current < doubleEscapeMs) {
        // Else the same key press would close the dialog it opens.
        event.preventDefault();
        setStopping(run.job?.jobId ?? null);
      }
      escapedAt.current = now;
    }
    const target = event.altKey ? { Digit1: 'schema', Digit2: 'editor', Digit3: 'result' }[event.code] : undefined;
    if (target === undefined) return;
    event.preventDefault();
    if (target === 'editor') editor.current?.focus();
    else document.getElementById(target === 'schema' ? 'schema-search' : 'query-result')?.focus();
  };

  const insert = (text: string) => {
    editor.current?.insert(text);
    setOpen((now) => ({ ...now, schema: false }));
    if (width === 'narrow') setPane('editor');
  };

  const login = loginPath(location);
  const schema = <SchemaBrowser quote={kind.quoteName} onInsert={insert} />;
  const builder = (
    <Builder
      table={table}
      chart={charts.chart}
      title={charts.title}
      preview={charts.tab === RESULT_TAB || width !== 'wide'}
      onChange={charts.change}
      onStart={charts.start}
      onRemove={charts.remove}
      onEnlarge={() => {
        if (charts.chart) charts.setTab(charts.chart.id);
        if (width === 'narrow') setPane('result');
        else if (width === 'medium') setOpen({ ...open, builder: false });
      }}
      {...(width === 'narrow' ? {} : { onClose: () => setOpen({ ...open, builder: false }) })}
    />
  );

  const prompt = visitor ? (
    <Empty
      title={t('queries.result.visitorTitle')}
      actions={
        <>
          <ButtonLink kind="primary" size="small" to={login}>
            {t('queries.result.logIn')}
          </ButtonLink>
          <ButtonLink size="small" to={paths.register}>
            {t('queries.result.signUp')}
          </ButtonLink>
        </>
      }
    >
      {t('queries.result.visitorText')}
    </Empty>
  ) : run.failure ? (
    <ErrorCard
      message={run.failure.message}
      elapsedMs={run.failure.elapsedMs}
      place={run.failure.place}
      reachable={run.failure.reachable}
      onGoTo={() => {
        if (width === 'narrow') setPane('editor');
        const place = editor.current?.problem() ?? run.failure?.place;
        if (place) editor.current?.goTo(place.from, place.to);
      }}
      onUse={(name) => {
        const place = editor.current?.problem();
        if (place) editor.current?.replace(place.from, place.to, name.includes('.') ? name : kind.quoteName(name));
      }}
    />
  ) : null;

  const shows = (name: Pane) => width !== 'narrow' || pane === name;
  const former = draft.job !== null && draft.job.id !== draft.resultJob && result.data !== undefined;

  return (
    // The page's own keys; each of them also has a button.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.bench} data-width={width} onKeyDown={onKeyDown}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {t('queries.title')}
      </h1>
      {width === 'narrow' ? <Segmented<Pane> block className={css.panes} value={pane} onChange={setPane} options={PANES.map((value) => ({ value, label: t(`queries.panes.${value}`) }))} /> : null}
      <div className={css.columns}>
        {width === 'wide' ? (
          <>
            <div className={css.side} style={{ width: `${sizes.schema / 100}rem` }}>
              {schema}
            </div>
            <Splitter label={t('queries.resize.schema')} orientation="vertical" value={sizes.schema} min={LIMITS.schema[0]} max={LIMITS.schema[1]} onChange={(value) => setSizes({ schema: value })} />
          </>
        ) : null}
        {width === 'narrow' && pane === 'schema' ? <div className={css.full}>{schema}</div> : null}
        {width === 'narrow' && pane === 'builder' ? <div className={css.full}>{builder}</div> : null}
        <div className={css.centre} hidden={!shows('editor') && !shows('result')}>
          <Toolbar
            kind={kind.title}
            visitor={visitor}
            readOnly={width === 'narrow'}
            loginPath={login}
            running={run.active || run.sending}
            selected={cursor.selected > 0}
            schema={width === 'medium' ? { shown: open.schema, toggle: () => setOpen({ ...open, schema: !open.schema }) } : null}
            builder={width === 'narrow' ? null : { shown: open.builder, toggle: () => setOpen({ ...open, builder: !open.builder }) }}
            store={store}
            onNew={() => store.open(emptyDraft(kind.id, '', Date.now()))}
            onFormat={format}
            onRun={start}
            onCancel={() => setStopping(run.job?.jobId ?? null)}
          />
          <div className={css.editor} style={width === 'narrow' ? undefined : { flexBasis: `${sizes.editor}%` }} hidden={!shows('editor')}>
            <Suspense fallback={<EditorSkeleton label={t('common.loading')} />}>
              <Editor
                key={draft.id}
                ref={editor}
                initial={draft.text}
                language={language}
                label={t('queries.editor.label')}
                readOnly={visitor || width === 'narrow'}
                problems={run.problems}
                onChange={(text) => update({ text })}
                onCursor={setCursor}
                onRun={start}
                onFormat={format}
              />
            </Suspense>
          </div>
          {width === 'narrow' ? null : (
            <Splitter
              label={t('queries.resize.result')}
              orientation="horizontal"
              value={sizes.editor * 10}
              min={LIMITS.editor[0] * 10}
              max={LIMITS.editor[1] * 10}
              onChange={(value) => setSizes({ editor: value / 10 })}
            />
          )}
          <RunBar narrow={width === 'narrow'} job={run.job} sending={run.sending} visitor={visitor} logShown={logShown} onLog={() => setLogShown(!logShown)} />
          {logShown && run.job ? <LogPanel jobId={run.job.jobId} active={run.active} /> : null}
          <div id="query-result" tabIndex={-1} className={css.result} hidden={!shows('result')}>
            <ResultPanel
              job={resultJob}
              former={former}
              result={{ data: visitor ? undefined : result.data, error: result.error, loading: result.isLoading, retry: () => void result.refetch() }}
              fetchRows={fetchRows}
              table={table}
              charts={draft.charts}
              running={run.active || run.sending}
              tab={charts.tab}
              instead={prompt}
              onTab={charts.setTab}
              onAdd={() => {
                charts.start('bar');
                if (width === 'narrow') setPane('builder');
                else setOpen({ ...open, builder: true });
              }}
            />
          </div>
          <StatusBar cursor={cursor} failed={run.failure !== null} visitor={visitor} />
        </div>
        {width === 'wide' && open.builder ? (
          <>
            <Splitter label={t('queries.resize.builder')} orientation="vertical" value={sizes.builder} min={LIMITS.builder[0]} max={LIMITS.builder[1]} reversed onChange={(value) => setSizes({ builder: value })} />
            <div className={css.side} style={{ width: `${sizes.builder / 100}rem` }}>
              {builder}
            </div>
          </>
        ) : null}
      </div>
      {width === 'medium' ? (
        <>
          <Drawer placement="left" size={340} open={open.schema} title={t('queries.schema.title')} styles={{ body: { padding: 0 } }} onClose={() => setOpen({ ...open, schema: false })}>
            {schema}
          </Drawer>
          <Drawer placement="right" size={400} open={open.builder} closable={false} aria-label={t('viz.title')} styles={{ body: { padding: 0 } }} onClose={() => setOpen({ ...open, builder: false })}>
            {builder}
          </Drawer>
        </>
      ) : null}
      {confirming ? (
        <Dialog
          title={t('queries.run.killTitle')}
          onClose={() => setStopping(null)}
          actions={
            <>
              <Button onClick={() => setStopping(null)}>{t('queries.run.keep')}</Button>
              <Button
                kind="danger"
                busy={run.killing}
                onClick={() => {
                  run.kill();
                  setStopping(null);
                }}
              >
                {t('queries.run.kill')}
              </Button>
            </>
          }
        >
          {typeof percent === 'number' ? t('queries.run.killText', { percent: Math.floor(percent) }) : t('queries.run.killTextUnknown')}
        </Dialog>
      ) : null}
    </div>
  );
}

function EditorSkeleton({ label }: { label: string }) {
  return (
    <div className={css.loading} role="status" aria-label={label}>
      {[40, 62, 30, 48, 20].map((share) => (
        <Skeleton key={share} height="0.8em" width={`${share}%`} />
      ))}
    </div>
  );
}
