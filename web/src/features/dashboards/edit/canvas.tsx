// The grid under the editor: widgets are dragged and resized by mouse, touch and keys.
import { useEffect, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import GridLayout, { useContainerWidth, type EventCallback, type Layout } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { useScale } from '@/lib/scale';
import type { Widget } from '../api';
import { byPlace, COLUMNS, SMALLEST, stepped, type Place } from '../model/layout';
import type { Carried } from './palette';
import css from './canvas.module.css';

interface CanvasProps {
  widgets: readonly Widget[];
  selected: string | null;
  nameOf: (widget: Widget) => string;
  onSelect: (id: string | null) => void;
  /** Where everything stands after a drag. */
  onPlaces: (places: ReadonlyMap<string, Place>) => void;
  onMove: (id: string, place: Place) => void;
  onDouble: (id: string) => void;
  onRemove: (id: string) => void;
  /** What is carried here from outside, and what to do where it is dropped. */
  carried: Carried | null;
  children: (widget: Widget) => ReactNode;
}

const gap = 12;
const steps: Record<string, { x: number; y: number }> = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } };

const placesOf = (layout: Layout): Map<string, Place> => new Map(layout.map(({ i, x, y, w, h }) => [i, { x, y, w, h }]));

export function Canvas({ widgets, selected, nameOf, onSelect, onPlaces, onMove, onDouble, onRemove, carried, children }: CanvasProps) {
  const { t } = useTranslation();
  const { width, containerRef, mounted } = useContainerWidth();
  const rowHeight = Math.max(40 * useScale(), 34);
  /** The widget that keys moved last: where it now stands is said. */
  const [moved, setMoved] = useState<string | null>(null);
  const afresh = useAfresh(containerRef);
  const ordered = byPlace(widgets);
  const place = widgets.find(({ id }) => id === moved)?.layout;

  const settled: EventCallback = (layout, _before, item) => {
    onPlaces(placesOf(layout));
    if (item) onSelect(item.i);
  };

  const onKeyDown = (event: KeyboardEvent, widget: Widget) => {
    // Keys inside a widget are its own.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (step) {
      setMoved(widget.id);
      onMove(widget.id, stepped(widget.layout, event.shiftKey ? { w: step.x, h: step.y } : step));
    } else if (event.key === 'Enter' || event.key === ' ') onSelect(widget.id);
    else if (event.key === 'd') onDouble(widget.id);
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove(widget.id);
    else if (event.key === 'Escape') onSelect(null);
    else return;
    event.preventDefault();
  };

  return (
    <div ref={containerRef} className={css.canvas} data-selected={selected !== null}>
      <p className="visually-hidden" role="status">
        {place ? t('dashboards.edit.at', { column: place.x + 1, row: place.y + 1, width: place.w, height: place.h }) : ''}
      </p>
      {mounted ? (
        <GridLayout
          key={afresh}
          width={width}
          layout={ordered.map(({ id, layout }) => ({ i: id, ...layout, minW: SMALLEST.w, minH: SMALLEST.h }))}
          gridConfig={{ cols: COLUMNS, rowHeight, margin: [gap, gap], containerPadding: [0, 0] }}
          dragConfig={{ handle: '[data-grip]' }}
          resizeConfig={{ handles: ['se', 'sw'] }}
          dropConfig={{ enabled: carried !== null, defaultItem: carried?.size ?? SMALLEST }}
          onDrop={(layout, item) => {
            if (!carried) return;
            const others = placesOf(layout.filter((one) => one.i !== item?.i));
            carried.drop(item ? { place: { x: item.x, y: item.y, w: item.w, h: item.h }, others } : null);
          }}
          onDragStop={settled}
          onResizeStop={settled}
        >
          {ordered.map((widget) => (
            // It takes the focus, so that the keys can move it.
            // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <div
              key={widget.id}
              role="group"
              // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              aria-label={t('dashboards.edit.widgetLabel', { name: nameOf(widget) })}
              className={css.item}
              data-item={widget.id}
              data-chosen={selected === widget.id}
              onKeyDown={(event) => onKeyDown(event, widget)}
              onClick={() => onSelect(widget.id)}
            >
              {children(widget)}
            </div>
          ))}
        </GridLayout>
      ) : null}
    </div>
  );
}

/**
 * A number for the grid that changes when it has to start anew: if what was carried is let go without the grid hearing of
 * it, it keeps the place for it and overlooks every later change.
 */
function useAfresh(grid: RefObject<HTMLElement | null>): number {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const onEnd = () => {
      if (grid.current?.querySelector('.react-grid-placeholder')) setTimes((before) => before + 1);
    };
    addEventListener('dragend', onEnd);
    return () => removeEventListener('dragend', onEnd);
  }, [grid]);
  return times;
}
