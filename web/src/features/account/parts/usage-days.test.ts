import { expect, test } from 'vitest';
import { byDay } from './usage-days';

const noon = Date.UTC(2026, 2, 1, 12);
const day = (date: number, month = 2) => Date.UTC(2026, month, date);

test('every day has its place, the one of today last', () => {
  const used = [
    { day: day(28, 1), requests: 7, refused: 2 },
    { day: day(1), requests: 3, refused: 0 },
  ];
  expect(byDay(used, noon, 3)).toEqual([{ day: day(27, 1), requests: 0, refused: 0 }, used[0], used[1]]);
});
