// A dashboard as the editor changes it: its words and its content, without what the server adds.
import { randomHex } from '@/lib/random';
import type { Content, DashboardView, Parameter, Widget, WidgetContent } from '../api';
import { byPlace, compacted, freePlace, placed, type Place } from './layout';

export interface Document {
  readonly title: string;
  readonly notes: string;
  readonly tags: readonly string[];
  readonly widgets: readonly Widget[];
  readonly parameters: readonly Parameter[];
  readonly refreshMinutes: number | null;
}

export function documentOf({ title, notes, tags, content }: DashboardView): Document {
  return { title, notes, tags, widgets: content.widgets ?? [], parameters: content.parameters ?? [], refreshMinutes: content.refreshMinutes ?? null };
}

export function contentOf({ widgets, parameters, refreshMinutes }: Document): Content {
  return { widgets: [...widgets], parameters: [...parameters], refreshMinutes };
}

export const sameDocument = (a: Document, b: Document): boolean => a === b || JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));

/** The order of the widgets in the list says nothing. */
const ordered = (document: Document) => ({ ...document, widgets: [...document.widgets].sort((a, b) => (a.id < b.id ? -1 : 1)) });

/** First sizes in cells. */
export const sizes: Record<WidgetContent['type'] | 'smallChart', { w: number; h: number }> = {
  visualization: { w: 6, h: 8 },
  smallChart: { w: 3, h: 3 },
  counter: { w: 3, h: 3 },
  graph: { w: 6, h: 9 },
  text: { w: 4, h: 3 },
  markdown: { w: 6, h: 5 },
  richText: { w: 6, h: 5 },
  model: { w: 4, h: 5 },
  filter: { w: 4, h: 2 },
};

export const newWidgetId = (): string => randomHex(4);

/** Where something was dropped, and where that moved the others. */
export interface Spot {
  readonly place: Place;
  readonly others: ReadonlyMap<string, Place>;
}

/** With one more widget: where it was dropped, else where there is room. */
export function added(document: Document, id: string, content: WidgetContent, size: { w: number; h: number }, spot: Spot | null = null): Document {
  const { widgets } = spot ? withPlaces(document, spot.others) : document;
  const layout = spot?.place ?? freePlace(widgets.map((widget) => widget.layout), size);
  return { ...document, widgets: [...widgets, { id, layout, content, showTitle: true, showTime: content.type === 'visualization' || content.type === 'counter' }] };
}

export function changedWidget(document: Document, id: string, change: Partial<Widget>): Document {
  return { ...document, widgets: document.widgets.map((widget) => (widget.id === id ? { ...widget, ...change } : widget)) };
}

export const removedWidget = (document: Document, id: string): Document => ({ ...document, widgets: compacted(document.widgets.filter((widget) => widget.id !== id)) });

/** The same again beside or below. */
export function doubled(document: Document, id: string, copyId: string): Document {
  const widget = document.widgets.find((one) => one.id === id);
  if (!widget) return document;
  const layout = freePlace(
    document.widgets.map((one) => one.layout),
    widget.layout,
  );
  return { ...document, widgets: [...document.widgets, { ...widget, id: copyId, layout }] };
}

export const movedWidget = (document: Document, id: string, place: Place): Document => ({ ...document, widgets: placed(document.widgets, id, place) });

/** Places as the grid reports them after a drag; what it does not name stays. */
export function withPlaces(document: Document, places: ReadonlyMap<string, Place>): Document {
  const moved = document.widgets.some(({ id, layout }) => {
    const place = places.get(id);
    return place !== undefined && (place.x !== layout.x || place.y !== layout.y || place.w !== layout.w || place.h !== layout.h);
  });
  return moved ? { ...document, widgets: document.widgets.map((widget) => ({ ...widget, layout: places.get(widget.id) ?? widget.layout })) } : document;
}

/** The widget after or before another one in reading order. */
export function neighbour(document: Document, id: string, by: 1 | -1): string | null {
  const ids = byPlace(document.widgets).map((widget) => widget.id);
  return ids[ids.indexOf(id) + by] ?? null;
}

/** Whether a text's card would show nothing at all. */
export function isEmptyText(content: WidgetContent): boolean {
  if (content.type === 'richText') return content.blocks.every((block) => block.type === 'paragraph' && block.spans.every((span) => span.text.trim() === ''));
  return (content.type === 'text' || content.type === 'markdown') && content.text.trim() === '';
}

/** What widgets show, as far as the server has to say what that is: texts are not asked about. */
export function shownKey(document: Document): string[] {
  return document.widgets.flatMap(({ id, content }) => {
    if (content.type === 'visualization') return [`${id} ${content.visualizationId}`];
    if (content.type === 'counter') return [`${id} ${content.queryId}`];
    return content.type === 'graph' ? [`${id} ${content.graphId}`] : [];
  });
}
