// The editor of one dashboard: palette, canvas, inspector, laid out by the room there is.
import { GripVertical, Plus, SlidersHorizontal } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import { holdDock } from '@/lib/dock-slot';
import { modelNames } from '@/lib/models';
import { dashboardOf, editDashboard, embedPath, paths } from '@/lib/paths';
import { takesKeys } from '@/lib/shortcuts';
import { useWidth } from '@/lib/width';
import { Button } from '@/ui/button';
import { deleteLater } from '@/ui/deletions';
import { Drawer } from '@/ui/drawer';
import { Part } from '@/ui/part';
import { Empty } from '@/ui/parts';
import { ShareButton } from '@/ui/share';
import { usePreview, type Card, type DashboardView, type Target, type Visibility, type Widget, type WidgetContent } from '../api';
import { added, changedWidget, contentOf, isEmptyText, movedWidget, newWidgetId, removedWidget, shownKey, sizes, withPlaces, type Spot } from '../model/document';
import { defaultValue } from '../model/values';
import { useEditor } from '../model/use-editor';
import { ParameterField } from '../view/parameter-input';
import { WidgetCard } from '../view/widget';
import { Bar } from './bar';
import { BoardSettings, newFilter } from './board-settings';
import { Canvas } from './canvas';
import { ConflictDialog } from './conflict';
import { givenUp, LeaveQuestion } from './leave';
import { chartSize, Palette, type Addable, type Carried } from './palette';
import { Picker, type Picked } from './picker';
import { EmptyText, isText, TextEdit } from './text-edit';
import { Versions } from './versions';
import { duplicate, WidgetInspector } from './widget-inspector';
import css from './edit.module.css';

const noRun = { run: undefined, filtered: null, onRun: null } as const;

export function Workspace({ view, target }: { view: DashboardView; target: Target }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const wide = useWidth() === 'wide';
  const editor = useEditor(view, target);
  const { document, change } = editor;
  const [selected, setSelected] = useState<string | null>(null);
  const [picking, setPicking] = useState<{ kind: Picked; spot: Spot | null } | null>(null);
  const [carried, setCarried] = useState<Carried | null>(null);
  /** The newest widget: it may stand where nobody looks. */
  const [fresh, setFresh] = useState<string | null>(null);
  const [panel, setPanel] = useState<'palette' | 'inspector' | 'versions' | null>(null);
  const [visibility, setVisibility] = useState<Visibility>(view.visibility);
  useEditorKeys(editor);

  const key = useMemo(() => shownKey(document), [document]);
  const shows = usePreview(contentOf(document), key).data?.shows ?? view.shows;
  const showOf = (id: string) => shows.find(({ widgetId }) => widgetId === id);
  const used = new Set(document.widgets.flatMap(({ content }) => (content.type === 'visualization' ? [content.visualizationId] : [])));
  const chosen = document.widgets.find(({ id }) => id === selected);

  const put = (content: WidgetContent, spot: Spot | null, size: { w: number; h: number } = sizes[content.type]) => {
    const id = newWidgetId();
    change((now) => added(now, id, content, size, spot), 'add');
    setSelected(id);
    setFresh(id);
    setPicking(null);
    setPanel(null);
  };
  const show = (id: string | null) => {
    setSelected(id);
    setFresh(id);
  };
  const add = (kind: Addable, spot: Spot | null = null) => {
    if (kind === 'text' || kind === 'markdown') put({ type: kind, text: '' }, spot);
    else if (kind === 'richText') put({ type: 'richText', blocks: [] }, spot);
    else if (kind === 'filter') {
      const made = newFilter(document.parameters);
      const id = newWidgetId();
      change((now) => added({ ...now, parameters: [...now.parameters, made] }, id, { type: 'filter', parameter: made.name }, sizes.filter, spot), 'add');
      setSelected(null);
      setFresh(id);
      if (!wide) setPanel('inspector');
    } else setPicking({ kind, spot });
  };
  const addVisualization = (card: Card, spot: Spot | null = null) => put({ type: 'visualization', visualizationId: card.id }, spot, chartSize(card));
  const pick = (card: Card) => {
    const { kind, spot } = picking ?? { kind: 'visualization', spot: null };
    if (kind === 'counter') put({ type: 'counter', queryId: card.id }, spot);
    else if (kind === 'graph') put({ type: 'graph', graphId: card.id }, spot);
    else addVisualization(card, spot);
  };
  const remove = () => {
    deleteLater(client, { kind: 'dashboard', id: view.id }, t('dashboards.mine.deleted', { title: document.title }), 'my dashboards');
    void navigate(paths.myDashboards, { state: givenUp });
  };
  const labelOf = (widget: Widget) => widget.title || (showOf(widget.id)?.title ?? t(`dashboards.kinds.${widget.content.type}`));

  const palette = (
    <Part>
      <Palette used={used} onAdd={add} onVisualization={addVisualization} onCarry={setCarried} />
    </Part>
  );
  const inspector = (
    <Part of={[chosen]}>
      {chosen ? <WidgetInspector widget={chosen} show={showOf(chosen.id)} editor={editor} label={labelOf(chosen)} onSelect={show} /> : <BoardSettings document={document} onChange={(next, about) => change((now) => ({ ...now, ...next }), about)} onDelete={remove} />}
    </Part>
  );

  return (
    <div className={css.editor}>
      <h1 className="visually-hidden" tabIndex={-1}>
        {t('dashboards.edit.heading', { title: document.title })}
      </h1>
      <Bar
        id={view.id}
        editor={editor}
        share={<ShareButton of={{ id: view.id, title: document.title, visibility, editable: true }} path={(share) => dashboardOf(view.id, share)} embed={(share) => embedPath(view.id, share)} onChange={setVisibility} />}
        extra={
          wide ? null : (
            <>
              <Button icon={<Plus size={16} strokeWidth={1.6} />} onClick={() => setPanel('palette')}>
                {t('dashboards.edit.add')}
              </Button>
              <Button icon={<SlidersHorizontal size={16} strokeWidth={1.6} />} onClick={() => setPanel('inspector')}>
                {t('dashboards.edit.settings')}
              </Button>
            </>
          )
        }
        onVersions={() => setPanel('versions')}
      />
      <div className={css.columns}>
        {wide ? <aside className={css.palette} aria-label={t('dashboards.edit.add')}>{palette}</aside> : null}
        {/* A click beside the widgets selects the dashboard itself; the keys have Escape for it. */}
        {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div className={css.centre} onClick={(event) => event.target === event.currentTarget && setSelected(null)}>
          {editor.restored ? <p className={css.restored}>{t('dashboards.edit.restored')}</p> : null}
          {document.widgets.length === 0 ? <Empty title={t('dashboards.emptyTitle')}>{t('dashboards.edit.empty')}</Empty> : null}
          <Canvas
            widgets={document.widgets}
            selected={selected}
            nameOf={labelOf}
            onSelect={(id) => {
              setSelected(id);
              setFresh(null);
            }}
            onPlaces={(places) => change((now) => withPlaces(now, places), 'drag')}
            onMove={(id, place) => change((now) => movedWidget(now, id, place), `place of ${id}`)}
            onDouble={(id) => duplicate(editor, id, show)}
            carried={carried}
            onRemove={(id) => {
              change((now) => removedWidget(now, id), 'remove');
              setSelected(null);
            }}
          >
            {(widget) => (
              <>
                {widget.id === fresh ? <InSight /> : null}
                <WidgetCard
                  widget={widget}
                  show={showOf(widget.id)}
                  target={target}
                  editing
                  {...noRun}
                  tools={
                    <span className={css.grip} data-grip title={t('dashboards.edit.drag')}>
                      <GripVertical size={16} strokeWidth={1.6} aria-hidden />
                    </span>
                  }
                  instead={
                    selected === widget.id && isText(widget.content) ? (
                      <TextEdit start={widget.id !== fresh} content={widget.content} title={labelOf(widget)} onChange={(content) => change((now) => changedWidget(now, widget.id, { content }), `text of ${widget.id}`)} />
                    ) : isEmptyText(widget.content) ? (
                      <EmptyText />
                    ) : undefined
                  }
                  filter={(name) => {
                    const parameter = document.parameters.find((one) => one.name === name);
                    return parameter ? <ParameterField parameter={parameter} value={defaultValue(parameter)} disabled onChange={() => undefined} /> : <p>{t('dashboards.edit.filterGone')}</p>;
                  }}
                />
              </>
            )}
          </Canvas>
        </div>
        {wide ? (
          <aside className={css.inspector} aria-label={t('dashboards.edit.settings')}>
            <div className={css.settings}>{inspector}</div>
            {/* At the edge of the window it would stand over the fields. */}
            <div ref={holdDock} className={css.dock} />
          </aside>
        ) : null}
      </div>
      {wide ? null : (
        <>
          <Drawer placement="left" size={320} open={panel === 'palette'} title={t('dashboards.edit.add')} styles={{ body: { padding: 0 } }} onClose={() => setPanel(null)}>
            {palette}
          </Drawer>
          <Drawer placement="right" size={340} open={panel === 'inspector'} title={t('dashboards.edit.settings')} styles={{ body: { padding: 0 } }} onClose={() => setPanel(null)}>
            {inspector}
          </Drawer>
        </>
      )}
      {picking === null ? null : <Picker kind={picking.kind} used={used} onChoose={pick} onModel={(model) => put({ type: 'model', model: modelNames[model] }, picking.spot)} onClose={() => setPicking(null)} />}
      {panel === 'versions' ? (
        <Versions
          id={view.id}
          revision={editor.save.revision}
          onRestored={(next) => {
            editor.replace(next);
            setPanel(null);
          }}
          onClose={() => setPanel(null)}
        />
      ) : null}
      <LeaveQuestion editor={editor} />
      {editor.save.phase === 'conflict' ? <ConflictDialog editor={editor} onCopied={(id) => void navigate(editDashboard(id))} /> : null}
    </div>
  );
}

/** Scrolls to the widget that it stands in: here, as the grid draws a new one later than the page does. */
function InSight() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // In braces: browsers have begun to answer a promise, which is no way to end an effect.
    mark.current?.closest('[data-item]')?.scrollIntoView({ block: 'nearest' });
  }, []);
  return <span ref={mark} hidden />;
}

/** Undo, redo and save by keys; where somebody writes, undo belongs to the field. */
function useEditorKeys(editor: ReturnType<typeof useEditor>) {
  const { undo, redo, saveNow } = editor;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key === 's') saveNow();
      else if (takesKeys(event.target)) return;
      else if (key === 'y' || (key === 'z' && event.shiftKey)) redo();
      else if (key === 'z') undo();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [undo, redo, saveNow]);
}
