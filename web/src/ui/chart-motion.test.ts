import { expect, it } from 'vitest';
import type { ChartOption } from './chart-look';
import { inMotion } from './chart-motion';

it('no series begins slowly, whatever its kind does by itself', () => {
  const option = { series: [{ type: 'pie', data: [1] }, { type: 'sankey' }] } as ChartOption;
  expect(inMotion(option, false)).toEqual({
    animationDuration: 0,
    animationDurationUpdate: 200,
    series: [
      { type: 'pie', data: [1], animationDuration: 0, animationDurationUpdate: 200 },
      // It would clip its names away until a movement ends that never begins.
      { type: 'sankey', animation: false, animationDuration: 0, animationDurationUpdate: 200 },
    ],
  });
});

it('nothing moves for who asked for that', () => {
  const still = inMotion({ series: { type: 'sunburst' } }, true);
  expect(still).toMatchObject({ animationDurationUpdate: 0, series: [{ animationDuration: 0, animationDurationUpdate: 0 }] });
});
