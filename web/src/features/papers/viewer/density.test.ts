import { expect, it } from 'vitest';
import { densityOf } from './density';

it('a sheet is drawn as dense as the screen, and a huge one so that it can be drawn', () => {
  expect(densityOf(600, 850, 1.5)).toBe(1.5);
  expect(densityOf(600, 850, 3)).toBe(2);
  const dense = densityOf(9_536, 13_480, 2);
  expect(dense).toBeLessThan(1);
  expect(9_536 * dense * 13_480 * dense).toBeLessThanOrEqual(2 ** 25 + 1);
});
