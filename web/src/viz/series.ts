/** Rows turned into series over one axis: sorted, grouped, missing periods made visible, every value exact. */
import { addExact, compareExact, parseExact, ZERO, type Exact } from '@/lib/exact';
import { compareCells, isNumeric, type Cell } from '@/lib/columns';
import { timeOf } from './mapping';
import { Drawing, readNumber, type NumberDress } from './numbers';
import { fillTimes } from './periods';
import { combined, nameOf, resolve, resolveAll, type Combine } from './read';
import { fail, ok, type Note, type Outcome, type ResultTable } from './types';

/** How a missing value or period looks. */
export type Missing = 'gap' | 'zero' | 'connect';

export interface SeriesOptions extends NumberDress {
  x: string;
  y: string[];
  /** Column whose values become series; empty makes one series of each y. */
  group: string;
  /** What to do when several rows fall on one x of one series. */
  combine: Combine;
  missing: Missing;
  /** Most series of a grouping; the rest becomes one sum. */
  limit: number;
}

export interface Series {
  readonly name: string;
  /** One per x; the numbers a table shows. */
  readonly values: readonly (Exact | null)[];
  /** The same for drawing. */
  readonly points: readonly (number | null)[];
  /** Whether it holds the sum of what the limit cut off. */
  readonly other: boolean;
}

export interface SeriesModel {
  readonly axis: 'time' | 'number' | 'category';
  /** Type of the column of the axis, as the result has it. */
  readonly axisType: string;
  /** One text per x, as the result holds it. */
  readonly labels: readonly string[];
  /** Milliseconds or numbers for `time` and `number` axes; empty for categories. */
  readonly positions: readonly number[];
  readonly series: readonly Series[];
  /** The last x holds the sum of the categories that were cut off. */
  readonly restAtEnd?: boolean;
  readonly notes: readonly Note[];
}

export const MOST_POINTS = 60_000;
const OTHER = '\u0000other';

interface Bucket {
  readonly label: string;
  readonly cell: Cell;
  readonly position: number;
}

function axisOf(table: ResultTable, index: number): SeriesModel['axis'] {
  const cells = table.rows.map((row) => row[index] ?? null).filter((cell) => cell !== null);
  if (cells.length > 0 && cells.every((cell) => timeOf(cell) !== null)) return 'time';
  return isNumeric(table.columns[index]?.type ?? '') ? 'number' : 'category';
}

function positionOf(axis: SeriesModel['axis'], cell: Cell): number {
  if (axis === 'time') return timeOf(cell) ?? Number.NaN;
  const exact = axis === 'number' ? parseExact(cell) : null;
  return exact ? new Drawing().number(exact) : Number.NaN;
}

/** Builds the series; `order` keeps the result's order of categories or sorts x by value. */
export function buildSeries(table: ResultTable, options: SeriesOptions, order: 'asIs' | 'sorted'): Outcome<SeriesModel> {
  const columns = resolve(table, { x: { column: options.x, part: 'x' }, group: { column: options.group, part: 'group', optional: true } });
  if (!columns.ok) return columns;
  if (options.y.length === 0) return { ok: false, problem: { code: 'columnUnset', part: 'y' } };
  const measures = resolveAll(table, options.y, 'y', true);
  if (!measures.ok) return measures;
  const { x, group } = columns.model;
  const ys = measures.model;
  const axis = axisOf(table, x);
  const buckets = new Map<string, Bucket>();
  const cells = new Map<string, Map<string, Exact>>();

  for (const row of table.rows) {
    const cell = row[x] ?? null;
    const label = nameOf(cell);
    if (!buckets.has(label)) buckets.set(label, { label, cell, position: positionOf(axis, cell) });
    for (const index of ys) {
      const column = table.columns[index]?.name ?? '';
      const name = group < 0 ? column : ys.length === 1 ? nameOf(row[group]) : `${nameOf(row[group])}, ${column}`;
      const series = cells.get(name) ?? new Map<string, Exact>();
      cells.set(name, series);
      const value = readNumber(row[index], options.format);
      if (!value) continue;
      const before = series.get(label);
      if (before && options.combine === 'refuse') return fail('duplicateX', { x: label, series: name });
      series.set(label, before && options.combine !== 'refuse' ? combined(before, value, options.combine) : value);
    }
  }

  if ([...cells.values()].every((series) => series.size === 0)) return fail('noPoints', { x: options.x, y: options.y.join(', ') });
  const type = table.columns[x]?.type ?? '';
  let axisBuckets = [...buckets.values()];
  if (axis !== 'category' || order === 'sorted') axisBuckets.sort((a, b) => (axis === 'time' ? a.position - b.position : compareCells(a.cell, b.cell, type)));
  if (axis !== 'category') axisBuckets = axisBuckets.filter((bucket) => !Number.isNaN(bucket.position));
  if (axis === 'time' && options.missing !== 'connect') axisBuckets = fillTimes(axisBuckets);
  const limited = limitSeries(cells, options.limit, group >= 0);
  const points = axisBuckets.length * limited.size;
  if (points > MOST_POINTS) return fail('tooManyPoints', { points, most: MOST_POINTS });
  return ok({ ...finish(axis, axisBuckets, limited, options.missing === 'zero'), axisType: type });
}

/** Grouped series by falling total; those beyond the limit become one sum. */
function limitSeries(cells: Map<string, Map<string, Exact>>, limit: number, grouped: boolean): Map<string, Map<string, Exact>> {
  if (!grouped) return cells;
  const totals = [...cells].map(([name, series]) => ({ name, series, total: [...series.values()].reduce(addExact, ZERO) }));
  totals.sort((a, b) => compareExact(b.total, a.total));
  if (totals.length <= limit) return new Map(totals.map(({ name, series }) => [name, series]));
  const kept = new Map(totals.slice(0, limit - 1).map(({ name, series }) => [name, series]));
  const rest = new Map<string, Exact>();
  for (const { series } of totals.slice(limit - 1)) {
    for (const [label, value] of series) rest.set(label, addExact(rest.get(label) ?? ZERO, value));
  }
  return kept.set(OTHER, rest);
}

function finish(axis: SeriesModel['axis'], buckets: Bucket[], cells: Map<string, Map<string, Exact>>, zero: boolean): Omit<SeriesModel, 'axisType'> {
  const drawing = new Drawing();
  const series = [...cells].map(([name, byLabel]) => {
    const values = buckets.map(({ label }) => byLabel.get(label) ?? (zero ? ZERO : null));
    const other = name === OTHER;
    return { name: other ? '' : name, values, points: values.map((value) => drawing.maybe(value)), other };
  });
  const positions = axis === 'category' ? [] : buckets.map((bucket) => bucket.position);
  return { axis, labels: buckets.map((bucket) => bucket.label), positions, series, notes: drawing.notes() };
}
