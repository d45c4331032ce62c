// Figures per day: the calls leave out days without any, charts show them as zero.

import { dayMs } from '@/lib/time';

/** The last `count` days in UTC up to the one of `now`, oldest first, each as its start in milliseconds since 1970. */
export function lastDays(now: number, count: number): number[] {
  const today = Math.floor(now / dayMs) * dayMs;
  return Array.from({ length: count }, (_, index) => today - (count - 1 - index) * dayMs);
}

/** One value for each day, 0 where no row says anything; rows of one day are added up. */
export function perDay<Row extends { day: number }>(days: readonly number[], rows: readonly Row[], value: (row: Row) => number): number[] {
  const sums = new Map<number, number>();
  for (const row of rows) sums.set(row.day, (sums.get(row.day) ?? 0) + value(row));
  return days.map((day) => sums.get(day) ?? 0);
}

/** `MM-DD`, for axes. */
export const dayName = (ms: number): string => new Date(ms).toISOString().slice(5, 10);
