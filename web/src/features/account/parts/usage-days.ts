// Days without a request are not in the answer; the chart has a place for each.
import type { Schemas } from '@/api/call';
import { dayMs } from '@/lib/time';

type Day = Schemas['DayUsage'];

/** The last `length` days up to the day of `now`, UTC, oldest first. */
export function byDay(used: readonly Day[], now: number, length: number): Day[] {
  const today = Math.floor(now / dayMs) * dayMs;
  const known = new Map(used.map((day) => [day.day, day]));
  return Array.from({ length }, (_, at) => {
    const day = today - (length - 1 - at) * dayMs;
    return known.get(day) ?? { day, requests: 0, refused: 0 };
  });
}
