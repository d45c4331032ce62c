// The widgets of a dashboard on their grid, to look at: 12 columns, and one after the other on small screens.
import type { CSSProperties, ReactNode } from 'react';
import type { Content, Widget, WidgetShows } from '../api';
import { isEmptyText } from '../model/document';
import { byPlace, sideBySide } from '../model/layout';
import { kindOf } from './widget';
import css from './board.module.css';

interface BoardProps {
  content: Content;
  shows: readonly WidgetShows[];
  children: (widget: Widget, show: WidgetShows | undefined) => ReactNode;
}

export function Board({ content, shows, children }: BoardProps) {
  const byId = new Map(shows.map((show) => [show.widgetId, show]));
  // A text that nobody has written yet is an empty frame to readers: its place stays free.
  const written = (content.widgets ?? []).filter(({ content: shown, title, showTitle }) => !isEmptyText(shown) || ((showTitle ?? true) && title));
  const widgets = byPlace(written).map((widget) => ({ widget, show: byId.get(widget.id), kind: kindOf(widget, byId.get(widget.id)) }));
  const halves = sideBySide(widgets.map(({ widget, kind }) => kind === 'counter' && widget.layout.w <= 6));
  return (
    <div className={css.frame}>
      <div className={css.board}>
        {widgets.map(({ widget, show, kind }, at) => {
          const { x, y, w, h } = widget.layout;
          return (
            <div key={widget.id} className={css.cell} data-kind={kind} data-small={halves[at]} style={{ '--x': x, '--y': y, '--columns': w, '--rows': h } as CSSProperties}>
              {children(widget, show)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
