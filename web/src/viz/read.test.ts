import { expect, it } from 'vitest';
import { nameOf } from './read';

it('names a time at midnight by its day, and every other one in full', () => {
  expect(nameOf('2026-08-03 00:00:00')).toBe('2026-08-03');
  expect(nameOf('2026-08-03 00:00:00.001')).toBe('2026-08-03 00:00:00.001');
  expect(nameOf('2026-08-03 05:00:00')).toBe('2026-08-03 05:00:00');
  expect(nameOf(null)).toBe('null');
});
