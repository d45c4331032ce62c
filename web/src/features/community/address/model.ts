// The days of an address as bars.
import { dayMs, dayOf } from '@/lib/time';

interface Day {
  /** `YYYY-MM-DD`. */
  day: string;
  sent: number;
  received: number;
}

export interface Bar extends Day {
  /** 0 to 1: the share of the busiest day, of both directions. */
  sentShare: number;
  receivedShare: number;
}

/** Every day from the first to the last, the oldest first; days without transactions are empty bars. */
export function bars(days: readonly Day[]): Bar[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const names = [...known.keys()].sort();
  const [first, last] = [names[0], names.at(-1)];
  if (first === undefined || last === undefined) return [];
  const most = Math.max(1, ...days.flatMap(({ sent, received }) => [sent, received]));
  const all: Bar[] = [];
  for (let ms = Date.parse(first); ms <= Date.parse(last); ms += dayMs) {
    const day = dayOf(ms);
    const { sent, received } = known.get(day) ?? { sent: 0, received: 0 };
    all.push({ day, sent, received, sentShare: sent / most, receivedShare: received / most });
  }
  return all;
}
