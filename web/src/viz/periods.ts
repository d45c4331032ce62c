/** Periods without a row on a time axis: found from the step between the rows, and how a time is written short. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const MOST_FILLED = 5_000;

interface Point {
  readonly label: string;
  readonly cell: unknown;
  readonly position: number;
}

const pad = (value: number) => String(value).padStart(2, '0');

/** `2026-11-20`, or with the clock where it is not midnight. */
export function timeLabel(position: number): string {
  const time = new Date(position);
  const date = `${time.getUTCFullYear()}-${pad(time.getUTCMonth() + 1)}-${pad(time.getUTCDate())}`;
  if (position % DAY === 0) return date;
  return `${date} ${pad(time.getUTCHours())}:${pad(time.getUTCMinutes())}:${pad(time.getUTCSeconds())}`;
}

/** Axis text: the day without its year, or the clock within a day. */
export function shortTimeLabel(position: number, wholeDays: boolean): string {
  const text = timeLabel(position);
  return wholeDays ? text.slice(5, 10) : `${text.slice(5, 10)} ${text.slice(11, 16) || '00:00'}`;
}

function months(position: number): number | null {
  const time = new Date(position);
  return position % DAY === 0 && time.getUTCDate() === 1 ? time.getUTCFullYear() * 12 + time.getUTCMonth() : null;
}

/** All positions from first to last in the step of the rows; the rows' own positions when there is no regular step. */
export function regularPositions(positions: readonly number[]): number[] {
  const own = [...positions];
  const first = positions[0];
  const last = positions.at(-1);
  if (first === undefined || last === undefined || positions.length < 3) return own;
  const monthly = positions.map(months);
  if (monthly.every((month) => month !== null)) {
    const from = monthly[0] ?? 0;
    const count = (monthly.at(-1) ?? from) - from + 1;
    return count > MOST_FILLED ? own : Array.from({ length: count }, (_, index) => Date.UTC(Math.floor((from + index) / 12), (from + index) % 12, 1));
  }
  const gaps = positions.slice(1).map((position, index) => position - (positions[index] ?? position));
  const step = Math.min(...gaps);
  const count = (last - first) / step + 1;
  if (step < MINUTE || count > MOST_FILLED || gaps.some((gap) => gap % step !== 0)) return own;
  return Array.from({ length: count }, (_, index) => first + index * step);
}

/** The points with one more for each missing period. */
export function fillTimes<P extends Point>(points: P[]): (P | (Point & { cell: null }))[] {
  const known = new Map(points.map((point) => [point.position, point]));
  if (known.size !== points.length) return points;
  return regularPositions(points.map((point) => point.position)).map((position) => known.get(position) ?? { label: timeLabel(position), cell: null, position });
}
