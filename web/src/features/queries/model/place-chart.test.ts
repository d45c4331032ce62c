import { expect, test } from 'vitest';
import { placeAfter } from './place-chart';

test('a chart takes the free half of the last row, else a row of its own', () => {
  expect(placeAfter([])).toEqual({ x: 0, y: 0, w: 6, h: 8 });
  expect(placeAfter([{ x: 0, y: 0, w: 6, h: 8 }])).toEqual({ x: 6, y: 0, w: 6, h: 8 });
  expect(placeAfter([{ x: 0, y: 0, w: 12, h: 8 }])).toEqual({ x: 0, y: 8, w: 6, h: 8 });
  // The half is free only at its lower end.
  expect(placeAfter([{ x: 0, y: 0, w: 12, h: 4 }, { x: 0, y: 4, w: 6, h: 8 }])).toEqual({ x: 6, y: 4, w: 6, h: 8 });
  expect(placeAfter([{ x: 0, y: 0, w: 12, h: 8 }, { x: 0, y: 8, w: 4, h: 3 }])).toEqual({ x: 0, y: 11, w: 6, h: 8 });
});
