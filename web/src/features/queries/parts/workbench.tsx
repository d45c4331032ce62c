/** The query page for one draft: tabs, tables, editor, run bar, result and chart builder, laid out by the room there is. */
import { Segmented } from 'antd';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import type { JobKind } from '@/api/jobs';
import type { SavedQuery } from '@/api/queries';
import { useSentences } from '@/i18n/sentences';
import { loginPath } from '@/lib/guard';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { createStore } from '@/lib/store';
import { useWidth } from '@/lib/width';
import { inLanguage } from '@/query-kinds/in-language';
import { Drawer } from '@/ui/drawer';
import type { EditorCursor, EditorHandle } from '@/ui/editor/editor';
import { notify } from '@/ui/notices';
import { lazyPart, Part } from '@/ui/part';
import { Splitter } from '@/ui/splitter';
import { useNames } from '../api';
import type { Draft } from '../model/drafts';
import { parametersOf, problemOf, valueOf } from '../model/parameters';
import { LIMITS, useSizes } from '../model/sizes';
import { changeDraft, openDraft } from '../model/tabs';
import { kindOf, starterDraft, type Arrival } from '../model/use-arrival';
import { useCharts } from '../model/use-charts';
import { useRun } from '../model/use-run';
import { useSaved } from '../model/use-saved';
import { useShown } from '../model/use-shown';
import { Builder } from './builder';
import { DraftsMenu } from './drafts-menu';
import { ErrorCard } from './error-card';
import { LogPanel } from './log-panel';
import { EditorSkeleton, NarrowNotice, Notice, VisitorPrompt } from './notice';
import { Overlays, StopDialog, type Overlay } from './overlays';
import { ParametersBar } from './parameters-bar';
import { GRAPH_TAB, RESULT_TAB, ResultPanel } from './result-panel';
import { RunBar } from './run-bar';
import { SchemaBrowser } from './schema-browser';
import { StatusBar } from './status-bar';
import { TabStrip } from './tab-strip';
import { Toolbar } from './toolbar';
import css from './workbench.module.css';

const Editor = lazyPart(() => import('@/ui/editor/editor').then(({ Editor: component }) => ({ default: component })));
const PANES = ['schema', 'editor', 'result', 'builder'] as const;
type Pane = (typeof PANES)[number];
const doubleEscapeMs = 700;

interface WorkbenchProps {
  draft: Draft;
  drafts: readonly Draft[];
  owner: string;
  /** The visualization that the address wants shown first. */
  wanted: Arrival['visualization'];
}

export function Workbench({ draft, drafts, owner, wanted }: WorkbenchProps) {
  const { t } = useTranslation();
  const width = useWidth();
  const location = useLocation();
  const navigate = useNavigate();
  const visitor = useSession().token === null;
  const kind = kindOf(draft.kind);
  const names = useNames();
  const say = useSentences();
  const language = useMemo(() => inLanguage(kind.language(names), say), [kind, names, say]);
  const instead = useMemo(() => kind.schemas?.(say), [kind, say]);
  const editor = useRef<EditorHandle>(null);
  const [cursor] = useState(() => createStore<EditorCursor>({ line: 1, column: 1, selected: 0 }));
  const [sizes, setSizes] = useSizes();
  // Who follows a link to somebody's query, or to a chart, came for what it shows.
  const [pane, setPane] = useState<Pane>(draft.viewing !== undefined || wanted.id !== null ? 'result' : 'editor');
  const [open, setOpen] = useState({ schema: false, builder: width === 'wide', formBuilder: false });
  const [logOf, setLogOf] = useState<string | null>(null);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [tried, setTried] = useState(false);
  /** The job whose end was asked for and is not yet confirmed; without an id the one that is still on its way. */
  const [stopping, setStopping] = useState<{ draft: string; jobId: string | undefined } | null>(null);
  /** Counts texts that were put in from outside, so that the editor begins anew with them. */
  const [replaced, setReplaced] = useState(0);
  const escapedAt = useRef(-doubleEscapeMs);

  const own = draft.viewing === undefined && !visitor;
  const { form } = kind;
  const readOnly = !own || (width === 'narrow' && !form);
  const builderShown = own && (form ? open.formBuilder : open.builder);
  const showBuilder = (builder: boolean) => setOpen((now) => (form ? { ...now, formBuilder: builder } : { ...now, builder }));
  const update = useCallback((change: Partial<Draft>) => changeDraft(draft.id, change), [draft.id]);
  const saved = useSaved(draft);
  const run = useRun(draft, changeDraft);
  const first = draft.charts.find((chart) => chart.saved?.id === wanted.id) ?? (wanted.id === null ? draft.charts.find((chart) => chart.type === wanted.type) : undefined);
  const charts = useCharts(draft, update, RESULT_TAB, first?.id ?? null, kind.drawn ? [GRAPH_TAB] : []);
  const shown = useShown(draft, saved, draft.charts.length > 0 || builderShown);
  const confirming = run.active && !run.sending && stopping?.draft === draft.id && (stopping.jobId ?? run.job?.jobId) === run.job?.jobId;
  const askToStop = () => setStopping({ draft: draft.id, jobId: run.sending ? undefined : run.job?.jobId });
  const logShown = logOf !== null && logOf === run.job?.jobId;

  // The parameters are what the text names; somebody else's are as they were saved.
  const parameters = useMemo(() => (own ? parametersOf(draft.text, draft.kind, draft.parameters) : draft.parameters), [own, draft.text, draft.kind, draft.parameters]);
  useEffect(() => {
    if (own && JSON.stringify(parameters) !== JSON.stringify(draft.parameters)) update({ parameters });
  }, [own, parameters, draft.parameters, update]);

  // Kinds whose jobs say much open their log with a run.
  const startedId = kind.logs && (run.active || run.startedHere) ? run.job?.jobId : undefined;
  const [announced, setAnnounced] = useState<string | undefined>();
  if (startedId !== undefined && startedId !== announced) {
    setAnnounced(startedId);
    setLogOf(startedId);
  }

  /** Runs the form as it is, or a trial made of it. */
  const startForm = (trial?: object) => {
    setTried(true);
    setStopping(null);
    const spec = trial ?? draft.spec;
    if (visitor || run.active || run.sending || !form || spec === null || !form.complete(spec)) return;
    run.start('', 0, spec);
  };

  const start = () => {
    if (form) startForm();
    if (form || visitor || run.active || run.sending || !editor.current) return;
    const { text, from } = own ? editor.current.selection() : { text: draft.text, from: 0 };
    if (text.trim() === '') return;
    setTried(true);
    setStopping(null);
    if (parameters.some((one) => problemOf(one, valueOf(one, draft.values)) !== null)) return;
    // What stands in the editor counts, also what it has not told yet.
    update({ text: editor.current.text(), parameters });
    run.start(text, from);
    if (charts.tab === GRAPH_TAB) charts.setTab(RESULT_TAB);
    if (width === 'narrow') setPane('result');
  };

  const format = () => {
    if (readOnly) return;
    const text = editor.current?.text() ?? draft.text;
    kind.format(text).then(
      (formatted) => formatted !== text && editor.current?.replaceAll(formatted),
      () => notify.error(t('queries.tool.formatFailed')),
    );
  };

  const save = () => {
    if (!own || saved.saving) return;
    if (editor.current) update({ text: editor.current.text() });
    if (draft.query === null) setOverlay('details');
    else if (saved.dirty || (editor.current && editor.current.text() !== draft.text)) saved.save(undefined, editor.current?.text());
  };

  /** Another kind keeps a text that somebody wrote; the starter of the former kind gives way to the next one's. What it can't keep stays in its own tab. */
  const changeKind = (next: JobKind) => {
    const { starter, form: nextForm } = kindOf(next);
    const text = editor.current?.text() ?? draft.text;
    const written = form ? JSON.stringify(draft.spec) !== JSON.stringify(form.first()) : text.trim() !== '' && text !== kind.starter;
    if (written && (form ?? nextForm)) {
      openDraft(starterDraft(next, owner));
      void navigate(paths.query, { replace: true });
      return;
    }
    update({ kind: next, text: written ? text : starter, spec: nextForm?.first() ?? null, job: null, resultJob: null });
    setReplaced((count) => count + 1);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 's') {
      event.preventDefault();
      save();
    }
    if (event.key === 'Escape' && run.active && !confirming) {
      const now = performance.now();
      if (now - escapedAt.current < doubleEscapeMs) {
        // Else the same key press would close the dialog it opens.
        event.preventDefault();
        askToStop();
      }
      escapedAt.current = now;
    }
    const target = event.altKey ? { Digit1: 'schema', Digit2: 'editor', Digit3: 'result' }[event.code] : undefined;
    if (target === undefined) return;
    event.preventDefault();
    if (target === 'editor') editor.current?.focus();
    else document.getElementById(target === 'schema' ? 'schema-search' : 'query-result')?.focus();
  };

  const take = (query: SavedQuery) => {
    saved.take(query);
    setReplaced((count) => count + 1);
  };
  const takeSaved = () => {
    if (saved.query) take(saved.query);
  };

  const insert = (text: string) => {
    if (readOnly) return;
    editor.current?.insert(text);
    setOpen((now) => ({ ...now, schema: false }));
  };

  const login = loginPath(location);
  const schema = (
    <Part key={instead ? kind.id : ''}>
      <SchemaBrowser quote={kind.quoteName} instead={instead} onInsert={insert} />
    </Part>
  );
  const chart = charts.chart;
  const builder = (
    <Part of={[chart?.id, chart?.type]}>
      <Builder
        rows={shown.rows}
        chart={chart}
        title={charts.title}
        preview={charts.tab === RESULT_TAB || charts.tab === GRAPH_TAB || width !== 'wide'}
        onChange={charts.change}
        onStart={charts.start}
        onRemove={charts.remove}
        onSave={() => {
          if (draft.query === null) save();
          else if (chart) saved.saveChart(chart.id);
        }}
        query={saved.query}
        onEnlarge={() => {
          if (chart) charts.setTab(chart.id);
          if (width === 'narrow') setPane('result');
          else if (width === 'medium') showBuilder(false);
        }}
        {...(width === 'narrow' ? {} : { onClose: () => showBuilder(false) })}
      />
    </Part>
  );

  const failure = run.failure;
  const prompt =
    visitor && !shown.result.data && !shown.result.loading ? (
      <VisitorPrompt login={login} />
    ) : failure ? (
      <ErrorCard
        message={failure.message}
        suggestion={failure.suggestion}
        elapsedMs={failure.elapsedMs}
        place={failure.place}
        reachable={failure.reachable}
        onGoTo={() => {
          if (width === 'narrow') setPane('editor');
          const place = editor.current?.problem() ?? failure.place;
          if (place) editor.current?.goTo(place.from, place.to);
        }}
        onUse={(name) => {
          const place = editor.current?.problem();
          if (place) editor.current?.replace(place.from, place.to, name.includes('.') ? name : kind.quoteName(name));
        }}
      />
    ) : null;
  const problem = failure ? { param: failure.param, message: failure.message, position: failure.position } : null;

  const shows = (name: Pane) => width !== 'narrow' || pane === name;
  const panes = PANES.filter((value) => (own || value !== 'builder') && (!form || value !== 'schema'));

  return (
    // The page's own keys; each of them also has a button.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.bench} data-width={width} onKeyDown={onKeyDown}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {draft.title || t('queries.title')}
      </h1>
      <TabStrip drafts={drafts} active={draft} dirty={own && saved.dirty} visitor={visitor} owner={owner} />
      {width === 'narrow' ? <Segmented<Pane> block className={css.panes} value={pane} onChange={setPane} options={panes.map((value) => ({ value, label: t(`queries.panes.${value}`) }))} /> : null}
      <div className={css.columns}>
        {width === 'wide' && !form ? (
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
            draft={draft}
            saved={saved}
            visitor={visitor}
            loginPath={login}
            readOnly={readOnly}
            narrow={width === 'narrow'}
            running={run.active || run.sending}
            cursor={cursor}
            schema={width === 'medium' && !form ? { shown: open.schema, toggle: () => setOpen({ ...open, schema: !open.schema }) } : null}
            builder={width === 'narrow' || !own ? null : { shown: builderShown, toggle: () => showBuilder(!builderShown) }}
            drafts={<DraftsMenu owner={owner} open={drafts} />}
            onKind={changeKind}
            onFormat={form ? null : format}
            onHistory={() => setOverlay('history')}
            onDetails={() => setOverlay('details')}
            onDecoder={() => setOverlay('decoder')}
            onFork={() => setOverlay('fork')}
            onSave={save}
            onRun={start}
            onCancel={askToStop}
          />
          {saved.query && (draft.viewing || saved.outdated) ? <Notice draft={draft} saved={saved} onTake={takeSaved} /> : null}
          {own && readOnly && pane === 'editor' ? <NarrowNotice /> : null}
          <ParametersBar
            parameters={parameters}
            values={draft.values}
            editable={own && !readOnly}
            tried={tried}
            onValue={(name, value) => update({ values: { ...draft.values, [name]: value } })}
            onParameter={(parameter) => update({ parameters: parameters.map((one) => (one.name === parameter.name ? parameter : one)) })}
            onRun={start}
          />
          <div className={css.editor} style={width === 'narrow' ? undefined : { flexBasis: `${form ? sizes.form : sizes.editor}%` }} hidden={!shows('editor')}>
            <Part of={[draft.id, draft.kind, replaced]} waiting={<EditorSkeleton label={t('common.loading')} />}>
              {form && draft.spec !== null ? (
                <form.Form key={`${draft.id} ${replaced}`} spec={draft.spec} onChange={(spec) => update({ spec })} readOnly={readOnly} tried={tried} problem={problem} running={run.active || run.sending} onRun={startForm} />
              ) : (
                <Editor
                  key={`${draft.id} ${replaced}`}
                  ref={editor}
                  initial={draft.text}
                  language={language}
                  label={t('queries.editor.label')}
                  readOnly={readOnly}
                  problems={run.problems}
                  onChange={(text) => update({ text })}
                  onCursor={cursor.set}
                  onRun={start}
                  onFormat={format}
                />
              )}
            </Part>
          </div>
          {width === 'narrow' ? null : (
            <Splitter label={t('queries.resize.result')} orientation="horizontal" value={(form ? sizes.form : sizes.editor) * 10} min={LIMITS.editor[0] * 10} max={LIMITS[form ? 'form' : 'editor'][1] * 10} onChange={(value) => setSizes(form ? { form: value / 10 } : { editor: value / 10 })} />
          )}
          <RunBar form={form !== undefined} narrow={width === 'narrow'} job={run.job} sending={run.sending} visitor={visitor} logShown={logShown} onLog={() => setLogOf(logShown ? null : (run.job?.jobId ?? null))} />
          {logShown && run.job ? <Part of={[run.job.jobId]}><LogPanel jobId={run.job.jobId} active={run.active} tells={kind.logs === true} onClose={() => setLogOf(null)} /></Part> : null}
          <div id="query-result" tabIndex={-1} className={css.result} hidden={!shows('result')}>
            <ResultPanel
              former={shown.former}
              result={shown.result}
              fetchRows={shown.fetchRows}
              rows={shown.rows}
              charts={draft.charts}
              running={run.active || run.sending}
              tab={charts.tab}
              drawn={kind.drawn === true}
              pages={kind.pages}
              instead={prompt}
              onTab={charts.setTab}
              onAdd={
                own
                  ? () => {
                      charts.start('bar');
                      if (width === 'narrow') setPane('builder');
                      else showBuilder(true);
                    }
                  : null
              }
            />
          </div>
          <StatusBar cursor={form ? null : cursor} failed={run.failure !== null} own={own} />
        </div>
        {width === 'wide' && builderShown ? (
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
          <Drawer placement="right" size={400} open={builderShown} closable={false} aria-label={t('viz.title')} styles={{ body: { padding: 0 } }} onClose={() => showBuilder(false)}>
            {builder}
          </Drawer>
        </>
      ) : null}
      <Overlays
        draft={draft}
        saved={saved}
        visitor={visitor}
        language={language}
        overlay={overlay}
        text={() => editor.current?.text() ?? draft.text}
        onClose={() => setOverlay(null)}
        onTake={take}
      />
      {confirming ? <StopDialog run={run} onClose={() => setStopping(null)} /> : null}
    </div>
  );
}
