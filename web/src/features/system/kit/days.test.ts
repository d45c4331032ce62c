import { expect, it } from 'vitest';
import { dayName, lastDays, perDay } from './days';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

it('counts days in UTC up to now', () => {
  const days = lastDays(Date.parse('2026-03-01T23:59:59Z'), 3);
  expect(days).toEqual([day('2026-02-27'), day('2026-02-28'), day('2026-03-01')]);
  expect(days.map(dayName)).toEqual(['02-27', '02-28', '03-01']);
});

it('fills days without rows and adds up rows of one day', () => {
  const days = [day('2026-01-01'), day('2026-01-02'), day('2026-01-03')];
  const rows = [
    { day: day('2026-01-01'), n: 2 },
    { day: day('2026-01-03'), n: 4 },
    { day: day('2026-01-03'), n: 1 },
    { day: day('2025-12-31'), n: 9 },
  ];
  expect(perDay(days, rows, (row) => row.n)).toEqual([2, 0, 5]);
});
