// Where widgets stand on the grid of 12 columns: finding room, moving and resizing by keys, and the order of small screens.
import type { Widget } from '../api';

export const COLUMNS = 12;
/** Most rows of one widget. */
const TALLEST = 100;
const LOWEST = 10_000;

export type Place = Widget['layout'];

/** Lowest size of a widget, in cells. */
export const SMALLEST = { w: 2, h: 2 } as const;

const ends = ({ y, h }: Place) => y + h;

export const bottom = (places: readonly Place[]): number => places.reduce((lowest, place) => Math.max(lowest, ends(place)), 0);

const overlaps = (a: Place, b: Place): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** The first free place of this size: beside what is there where it fits, else below. */
export function freePlace(taken: readonly Place[], { w, h }: { w: number; h: number }): Place {
  const last = bottom(taken);
  for (let y = 0; y < last; y += 1) {
    for (let x = 0; x + w <= COLUMNS; x += 1) {
      const place = { x, y, w, h };
      if (!taken.some((other) => overlaps(place, other))) return place;
    }
  }
  return { x: 0, y: last, w, h };
}

/** The place moved or resized by cells, kept on the grid. */
export function stepped(place: Place, step: { x?: number; y?: number; w?: number; h?: number }): Place {
  const w = clamp(place.w + (step.w ?? 0), SMALLEST.w, COLUMNS - place.x);
  const h = clamp(place.h + (step.h ?? 0), SMALLEST.h, TALLEST);
  return { w, h, x: clamp(place.x + (step.x ?? 0), 0, COLUMNS - w), y: clamp(place.y + (step.y ?? 0), 0, LOWEST) };
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), Math.max(low, high));

/** One widget placed anew: what it now covers gives way downwards, and everything moves up as far as it can. */
export function placed(widgets: readonly Widget[], id: string, place: Place): Widget[] {
  const moved = widgets.find((widget) => widget.id === id);
  if (!moved) return [...widgets];
  const settled = new Map<string, Place>([[id, place]]);
  for (const widget of byPlace(widgets)) {
    if (widget.id === id) continue;
    let at = widget.layout;
    for (;;) {
      const hit = [...settled.values()].find((other) => overlaps(at, other));
      if (!hit) break;
      at = { ...at, y: ends(hit) };
    }
    settled.set(widget.id, at);
  }
  return compacted(widgets.map((widget) => ({ ...widget, layout: settled.get(widget.id) ?? widget.layout })));
}

/** Every widget as high up as it can stand without changing who is above whom. */
export function compacted(widgets: readonly Widget[]): Widget[] {
  const settled = new Map<string, Place>();
  for (const widget of byPlace(widgets)) {
    let { y } = widget.layout;
    const free = (row: number) => ![...settled.values()].some((other) => overlaps({ ...widget.layout, y: row }, other));
    while (y > 0 && free(y - 1)) y -= 1;
    while (!free(y)) y += 1;
    settled.set(widget.id, { ...widget.layout, y });
  }
  return widgets.map((widget) => ({ ...widget, layout: settled.get(widget.id) ?? widget.layout }));
}

/** Row by row, from left to right: the order of reading, of the keyboard and of small screens. */
export function byPlace(widgets: readonly Widget[]): Widget[] {
  return [...widgets].sort((a, b) => a.layout.y - b.layout.y || a.layout.x - b.layout.x);
}

/** Which widgets stand two in a row on small screens: small ones that follow each other, but not one that has no partner. */
export function sideBySide(small: readonly boolean[]): boolean[] {
  const paired = small.map(() => false);
  for (let at = 0; at + 1 < small.length; at += 1) {
    if (!small[at] || !small[at + 1]) continue;
    paired[at] = true;
    paired[at + 1] = true;
    at += 1;
  }
  return paired;
}
