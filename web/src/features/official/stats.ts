// Five numbers about a metric's course: the newest, its change, the lowest, the highest and the middle one. Exact.
import type { NumberFormat } from '@/lib/columns';
import { fullText, isNumeric } from '@/lib/columns';
import { compareExact, drawExact, parseExact, type Exact } from '@/lib/exact';
import { timeOf } from '@/viz/mapping';
import type { ResultTable } from '@/viz/types';

export interface Point {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The time as the result has it. */
  readonly label: string;
  readonly value: Exact;
}

export interface MetricStats {
  readonly latest: Point;
  /** Against the value 30 days before the newest; null when there is none or it was zero. */
  readonly change: number | null;
  readonly low: Point;
  readonly high: Point;
  readonly median: Exact;
}

interface Options {
  x?: string | null;
  y?: string[];
  group?: string | null;
  format?: NumberFormat | null;
}

const monthMs = 30 * 86_400_000;

/** The place of the column of times; -1 where a result has none. */
export function timeColumn(table: ResultTable, x: string | null | undefined): number {
  const named = table.columns.findIndex(({ name }) => name === x);
  const isTime = (at: number) => table.rows.length > 0 && table.rows.every((row) => row[at] === null || timeOf(row[at] ?? null) !== null);
  if (named >= 0) return isTime(named) ? named : -1;
  return table.columns.findIndex(({ type }, at) => /^(timestamp|date)/i.test(type) && isTime(at));
}

/** The points of a chart's first series; null where its rows are grouped or have no time. */
export function pointsOf(table: ResultTable, options: Options): Point[] | null {
  if (options.group) return null;
  const x = timeColumn(table, options.x);
  const y = options.y?.[0] === undefined ? table.columns.findIndex(({ type }) => isNumeric(type)) : table.columns.findIndex(({ name }) => name === options.y?.[0]);
  if (x < 0 || y < 0) return null;
  const points: Point[] = [];
  for (const row of table.rows) {
    const time = timeOf(row[x] ?? null);
    const value = parseExact(fullText(row[y] ?? null));
    if (time !== null && value) points.push({ time, label: fullText(row[x] ?? null), value });
  }
  return points.sort((a, b) => a.time - b.time);
}

export function statsOf(points: readonly Point[]): MetricStats | null {
  const latest = points.at(-1);
  if (!latest) return null;
  const ranked = [...points].sort((a, b) => compareExact(a.value, b.value));
  const [low, high, median] = [ranked[0], ranked.at(-1), ranked[Math.floor((ranked.length - 1) / 2)]];
  if (!low || !high || !median) return null;
  const before = points.findLast(({ time }) => time <= latest.time - monthMs);
  const base = before ? drawExact(before.value).value : 0;
  return { latest, change: before && base !== 0 ? drawExact(latest.value).value / base - 1 : null, low, high, median: median.value };
}

/** The rows of the last `days` days of a result. */
export function lastDays(table: ResultTable, x: number, days: number): ResultTable {
  const times = table.rows.map((row) => timeOf(row[x] ?? null) ?? Number.NEGATIVE_INFINITY);
  const from = times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY) - days * 86_400_000;
  const rows = table.rows.filter((_, at) => (times[at] ?? 0) > from);
  return { columns: table.columns, rows, total: rows.length };
}
