import { describe, expect, it } from 'vitest';
import type { Widget } from '../api';
import { bottom, byPlace, compacted, freePlace, placed, sideBySide, stepped } from './layout';

const widget = (id: string, x: number, y: number, w: number, h: number): Widget => ({ id, layout: { x, y, w, h }, content: { type: 'text', text: '' } });
const places = (widgets: readonly Widget[]) => Object.fromEntries(widgets.map(({ id, layout: { x, y, w, h } }) => [id, [x, y, w, h]]));

describe('room for a new widget', () => {
  it('is beside what is there where it fits', () => {
    expect(freePlace([{ x: 0, y: 0, w: 6, h: 4 }], { w: 6, h: 4 })).toEqual({ x: 6, y: 0, w: 6, h: 4 });
  });

  it('is below when nothing fits', () => {
    const taken = [{ x: 0, y: 0, w: 8, h: 4 }];
    expect(freePlace(taken, { w: 6, h: 4 })).toEqual({ x: 0, y: 4, w: 6, h: 4 });
    expect(bottom(taken)).toBe(4);
  });
});

describe('a step by the keyboard', () => {
  const place = { x: 6, y: 0, w: 6, h: 4 };
  it('stays on the grid', () => {
    expect(stepped(place, { x: 1 })).toEqual(place);
    expect(stepped(place, { y: -1 })).toEqual(place);
    expect(stepped(place, { w: 1 })).toEqual(place);
    expect(stepped({ x: 0, y: 0, w: 2, h: 2 }, { w: -1, h: -1 })).toEqual({ x: 0, y: 0, w: 2, h: 2 });
  });

  it('moves or resizes by one cell', () => {
    expect(stepped(place, { x: -1 })).toEqual({ x: 5, y: 0, w: 6, h: 4 });
    expect(stepped(place, { w: -1, h: 1 })).toEqual({ x: 6, y: 0, w: 5, h: 5 });
  });
});

describe('a widget placed anew', () => {
  const board = [widget('a', 0, 0, 6, 4), widget('b', 6, 0, 6, 4), widget('c', 0, 4, 12, 3)];

  it('pushes down what it covers', () => {
    expect(places(placed(board, 'a', { x: 4, y: 0, w: 6, h: 4 }))).toEqual({ a: [4, 0, 6, 4], b: [6, 4, 6, 4], c: [0, 8, 12, 3] });
  });

  it('leaves no room above it', () => {
    expect(places(placed(board, 'c', { x: 0, y: 40, w: 12, h: 3 }))).toEqual({ a: [0, 0, 6, 4], b: [6, 0, 6, 4], c: [0, 4, 12, 3] });
    expect(places(compacted([widget('a', 0, 7, 6, 2)]))).toEqual({ a: [0, 0, 6, 2] });
  });
});

it('reading goes row by row, from left to right', () => {
  expect(byPlace([widget('c', 0, 4, 6, 2), widget('b', 6, 0, 6, 4), widget('a', 0, 0, 6, 4)]).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

it('puts small widgets in pairs on small screens, and one without a partner over the whole width', () => {
  expect(sideBySide([true, false, true, true, true, false])).toEqual([false, false, true, true, false, false]);
  expect(sideBySide([true, true, true, true])).toEqual([true, true, true, true]);
  expect(sideBySide([true])).toEqual([false]);
});
