// The widgets of a dashboard on their grid, to look at: 12 columns, and one after the other on small screens.
import type { CSSProperties, ReactNode } from 'react';
import type { Content, Widget, WidgetShows } from '../api';
import { byPlace } from '../model/layout';
import { kindOf } from './widget';
import css from './board.module.css';

interface BoardProps {
  content: Content;
  shows: readonly WidgetShows[];
  children: (widget: Widget, show: WidgetShows | undefined) => ReactNode;
}

export function Board({ content, shows, children }: BoardProps) {
  const byId = new Map(shows.map((show) => [show.widgetId, show]));
  return (
    <div className={css.frame}>
      <div className={css.board}>
        {byPlace(content.widgets ?? []).map((widget) => {
          const show = byId.get(widget.id);
          const kind = kindOf(widget, show);
          const { x, y, w, h } = widget.layout;
          return (
            <div key={widget.id} className={css.cell} data-kind={kind} data-small={kind === 'counter' && w <= 6} style={{ '--x': x, '--y': y, '--w': w, '--h': h } as CSSProperties}>
              {children(widget, show)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
