/** Periods without a row on a time axis: found from the step between the rows, and how a time is written short. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const MOST_FILLED = 5_000;

interface Point {
  readonly label: string;
  readonly cell: unknown;
  readonly position: number;
}

const dateOf = (position: number) => new Date(position).toISOString().slice(0, 10);
const sameDay = (positions: readonly number[]) => new Set(positions.map((position) => Math.floor(position / DAY))).size === 1;

/** `2026-11-20`, or with the clock where it is not midnight. */
export function timeLabel(position: number): string {
  if (position % DAY === 0) return dateOf(position);
  return `${dateOf(position)} ${new Date(position).toISOString().slice(11, position % 1_000 === 0 ? 19 : 23)}`;
}

/** The times as an axis with a place for each writes them: as short as still tells them apart, and one alone in full. */
export function timeTicks(positions: readonly number[]): string[] {
  const texts = positions.map((position) => new Date(position).toISOString().replace('T', ' '));
  if (texts.length < 2) return positions.map(timeLabel);
  const whole = (part: number) => positions.every((position) => position % part === 0);
  const from = new Set(texts.map((text) => text.slice(0, 4))).size > 1 ? 0 : 5;
  if (positions.every((position) => months(position) !== null)) return texts.map((text) => text.slice(0, 7));
  return texts.map((text) => text.slice(from, whole(DAY) ? 10 : whole(MINUTE) ? 16 : whole(1_000) ? 19 : 23));
}

/** Below this span ticks at the first of a month or year are days among days. */
const TWO_MONTHS = 62 * DAY;

/** How an axis on which time passes evenly writes its ticks, by what they stand for; within one day each of them says which. */
export function timeTexts(positions: readonly number[]) {
  const short = (positions.at(-1) ?? 0) - (positions[0] ?? 0) < TWO_MONTHS;
  const day = positions.length > 0 && sameDay(positions) ? '{MM}-{dd} ' : '';
  return {
    year: short ? '{yyyy}-{MM}-{dd}' : '{yyyy}',
    month: short ? '{MM}-{dd}' : '{yyyy}-{MM}',
    day: '{MM}-{dd}',
    hour: `${day}{HH}:{mm}`,
    minute: `${day}{HH}:{mm}`,
    second: `${day}{HH}:{mm}:{ss}`,
    millisecond: `${day}{HH}:{mm}:{ss}.{SSS}`,
  };
}

/** Up to this span a tick every so many periods says more than the first of each month. */
const LONGEST_EVEN = 200 * DAY;

/**
 * Whether the times follow each other in one step over a span that is told in days or less: an axis with a place for each is then true to
 * time as well, and its ticks are equally far apart, which those by the calendar are not (a week after the 29th comes the 5th, then the 8th).
 */
export function isEven(positions: readonly number[]): boolean {
  const first = positions[0] ?? 0;
  const step = (positions[1] ?? 0) - first;
  const span = (positions.at(-1) ?? 0) - first;
  return step > 0 && span > DAY && span <= LONGEST_EVEN && positions.every((position, at) => position === first + at * step);
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
