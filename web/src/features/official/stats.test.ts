import { describe, expect, it } from 'vitest';
import { plainExact } from '@/lib/exact';
import type { ResultTable } from '@/viz/types';
import { lastDays, pointsOf, statsOf } from './stats';

const table = (rows: [string, string][]): ResultTable => ({
  columns: [
    { name: 'day', type: 'date' },
    { name: 'n', type: 'bigint' },
  ],
  rows,
  total: rows.length,
});

const course = table([
  ['2026-03-01', '200'],
  ['2026-01-01', '100'],
  ['2026-01-30', '160'],
  ['2026-02-10', '900719925474099312345'],
]);

describe('the numbers of a metric', () => {
  it('are exact, by time and not by the order of rows', () => {
    const stats = statsOf(pointsOf(course, { x: 'day', y: ['n'] }) ?? []);
    expect(stats?.latest.label).toBe('2026-03-01');
    expect([stats?.low.label, stats?.high.label]).toEqual(['2026-01-01', '2026-02-10']);
    expect(plainExact(stats?.high.value ?? { digits: 0n, scale: 0 })).toBe('900719925474099312345');
    expect(plainExact(stats?.median ?? { digits: 0n, scale: 0 })).toBe('160');
  });

  it('compare the newest value with the last one at least 30 days older', () => {
    expect(statsOf(pointsOf(course, { x: 'day', y: ['n'] }) ?? [])?.change).toBeCloseTo(0.25);
    expect(statsOf(pointsOf(table([['2026-01-01', '5']]), {}) ?? [])?.change).toBeNull();
  });

  it('are not made of grouped rows or of rows without a time', () => {
    expect(pointsOf(course, { x: 'day', y: ['n'], group: 'kind' })).toBeNull();
    expect(pointsOf(table([['a', '1']]), { x: 'day', y: ['n'] })).toBeNull();
    expect(statsOf([])).toBeNull();
  });
});

it('a period is counted back from the newest row', () => {
  expect(lastDays(course, 0, 30).rows.map(([day]) => day)).toEqual(['2026-03-01', '2026-02-10']);
});
