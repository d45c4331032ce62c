// The inspector with what it needs to know of the widget's query: its parameters, and for counters its columns.
import { useMemo } from 'react';
import { useShownTable } from '@/viz/use-shown-table';
import { queryRows, useQueryParameters, type Parameter, type Widget, type WidgetShows } from '../api';
import { changedWidget, doubled, movedWidget, newWidgetId, removedWidget } from '../model/document';
import type { Editor } from '../model/use-editor';
import { useWidgetTitle } from '../view/widget';
import { Inspector } from './inspector';

interface WidgetInspectorProps {
  widget: Widget;
  show: WidgetShows | undefined;
  editor: Editor;
  label: string;
  onSelect: (id: string | null) => void;
}

const none: readonly Parameter[] = [];

export function WidgetInspector({ widget, show, editor, label, onSelect }: WidgetInspectorProps) {
  const { document, change } = editor;
  const queryId = show?.queryId ?? null;
  const jobId = show?.shown?.jobId ?? null;
  const ids = useMemo(() => (queryId === null ? [] : [queryId]), [queryId]);
  const parameters = useQueryParameters(ids, document.parameters.length > 0).data?.get(queryId ?? '') ?? none;
  const counter = widget.content.type === 'counter';
  const source = useMemo(() => (counter && queryId !== null && jobId !== null ? queryRows(queryId, jobId) : null), [counter, queryId, jobId]);
  const { table } = useShownTable(source, 'counter');
  const title = useWidgetTitle(widget, show);
  return (
    <Inspector
      key={widget.id}
      widget={widget}
      show={show}
      name={title === '' ? label : title}
      filters={document.parameters}
      parameters={parameters}
      table={table}
      onChange={(next, about) => change((now) => changedWidget(now, widget.id, next), about)}
      onMove={(place) => change((now) => movedWidget(now, widget.id, place), `place of ${widget.id}`)}
      onDouble={() => duplicate(editor, widget.id, onSelect)}
      onRemove={() => {
        change((now) => removedWidget(now, widget.id), 'remove');
        onSelect(null);
      }}
    />
  );
}

export function duplicate(editor: Editor, id: string, onSelect: (id: string) => void): void {
  const copy = newWidgetId();
  editor.change((now) => doubled(now, id, copy), 'duplicate');
  onSelect(copy);
}
