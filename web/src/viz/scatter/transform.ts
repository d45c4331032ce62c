/** Rows to points of a plane. */
import { isNumeric } from '@/lib/columns';
import { compareExact, type Exact } from '@/lib/exact';
import { timeOf } from '../mapping';
import { Drawing, readNumber } from '../numbers';
import { nameOf, resolve } from '../read';
import { everyNth } from '../sample';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { ScatterOptions } from './options';

export interface Point {
  readonly at: readonly [number, number];
  /** Exact numbers; a time is its text. */
  readonly x: Exact | string;
  readonly y: Exact;
  readonly size: Exact | null;
  /** Place between the smallest and the largest size, 0 to 1. */
  readonly weight: number;
  readonly name: string;
}

export interface Cloud {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface ScatterModel {
  readonly clouds: readonly Cloud[];
  readonly times: boolean;
  /** Two ends of the line of least squares. */
  readonly line: readonly [readonly [number, number], readonly [number, number]] | null;
  readonly notes: readonly Note[];
}

const MOST_DRAWN = 50_000;
const MOST_CLOUDS = 10;

export function transform(table: ResultTable, options: ScatterOptions): Outcome<ScatterModel> {
  const columns = resolve(table, {
    x: { column: options.x, part: 'x' },
    y: { column: options.y, part: 'y', numeric: true },
    size: { column: options.size, part: 'size', numeric: true, optional: true },
    group: { column: options.group, part: 'group', optional: true },
    name: { column: options.name, part: 'name', optional: true },
  });
  if (!columns.ok) return columns;
  const { x, y, size, group, name } = columns.model;
  const times = !isNumeric(table.columns[x]?.type ?? '');
  if (times && !table.rows.every((row) => row[x] === null || timeOf(row[x] ?? null) !== null)) return fail('notNumber', { column: options.x });

  const drawing = new Drawing();
  let hidden = 0;
  const found = new Map<string, Point[]>();
  const sizes = table.rows.flatMap((row) => (size < 0 ? [] : (readNumber(row[size], 'grouped') ?? [])));
  const bounds = sizes.length > 0 ? [sizes.reduce((a, b) => (compareExact(a, b) <= 0 ? a : b)), sizes.reduce((a, b) => (compareExact(a, b) >= 0 ? a : b))].map((one) => drawing.number(one)) : [0, 0];
  for (const row of table.rows) {
    const [xValue, yValue] = [times ? nameOf(row[x]) : readNumber(row[x], options.xFormat), readNumber(row[y], options.format)];
    const time = times ? timeOf(row[x] ?? null) : 0;
    if (!xValue || !yValue || time === null) continue;
    const at: [number, number] = [typeof xValue === 'string' ? time : drawing.number(xValue), drawing.number(yValue)];
    if ((options.xLog && !times && at[0] <= 0) || (options.yLog && at[1] <= 0)) {
      hidden += 1;
      continue;
    }
    const sized = size < 0 ? null : readNumber(row[size], 'grouped');
    const cloud = group < 0 ? '' : nameOf(row[group]);
    const points = found.get(cloud) ?? [];
    found.set(cloud, points);
    points.push({ at, x: xValue, y: yValue, size: sized, weight: sized ? weight(drawing.number(sized), bounds) : 0, name: name < 0 ? '' : nameOf(row[name]) });
  }
  const all = [...found.values()].flat();
  if (all.length === 0) return fail('noPoints', { x: options.x, y: options.y });
  const { clouds, notes } = bounded(found, all.length);
  const log: Note[] = hidden > 0 ? [{ code: 'logHidden', values: { count: hidden } }] : [];
  return ok({ clouds, times, line: options.regression && !options.xLog && !options.yLog ? leastSquares(all) : null, notes: [...drawing.notes(), ...log, ...notes] });
}

function weight(value: number, [low = 0, high = 0]: number[]): number {
  // The area of a point tells its size, so its radius follows the root.
  return high > low ? Math.sqrt(Math.max(0, value - low) / (high - low)) : 0.5;
}

/** Few enough points and colours to draw and to tell apart. */
function bounded(found: Map<string, Point[]>, count: number): { clouds: Cloud[]; notes: Note[] } {
  const notes: Note[] = [];
  const share = Math.min(1, MOST_DRAWN / count);
  if (share < 1) notes.push({ code: 'sampled', values: { drawn: MOST_DRAWN, all: count } });
  const ranked = [...found].sort((a, b) => b[1].length - a[1].length);
  const kept = ranked.length > MOST_CLOUDS ? ranked.slice(0, MOST_CLOUDS - 1) : ranked;
  const rest = ranked.slice(kept.length).flatMap(([, points]) => points);
  const clouds = [...kept.map(([name, points]) => ({ name, points })), ...(rest.length > 0 ? [{ name: '\u0000other', points: rest }] : [])];
  return { clouds: clouds.map((cloud) => ({ ...cloud, points: everyNth(cloud.points, Math.ceil(cloud.points.length * share)) })), notes };
}

function leastSquares(points: readonly Point[]): ScatterModel['line'] {
  const count = points.length;
  const meanX = points.reduce((sum, { at }) => sum + at[0], 0) / count;
  const meanY = points.reduce((sum, { at }) => sum + at[1], 0) / count;
  const spread = points.reduce((sum, { at }) => sum + (at[0] - meanX) ** 2, 0);
  if (count < 2 || spread === 0) return null;
  const slope = points.reduce((sum, { at }) => sum + (at[0] - meanX) * (at[1] - meanY), 0) / spread;
  const xs = points.map(({ at }) => at[0]);
  const ends = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))] as const;
  const end = (x: number): [number, number] => [x, meanY + slope * (x - meanX)];
  return [end(ends[0]), end(ends[1])];
}
