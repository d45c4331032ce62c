/** Rows turned into series over one axis: sorted, grouped, missing periods made visible, every value exact. */
import { addExact, compareExact, drawExact, parseExact, type Exact } from '@/lib/exact';
import { compareCells, fullText, inUnit, isEtherUnit, isNumeric, type Cell, type NumberFormat } from '@/lib/columns';
import { columnIndex, timeOf } from './mapping';
import { fillTimes } from './periods';
import { fail, type Outcome, type ResultTable } from './types';

/** What to do when several rows fall on one x of one series. */
export type Combine = 'refuse' | 'sum' | 'min' | 'max';
/** How a missing value or period looks. */
export type Missing = 'gap' | 'zero' | 'connect';

export interface SeriesOptions {
  readonly x: string;
  readonly y: readonly string[];
  readonly group: string;
  readonly combine: Combine;
  readonly missing: Missing;
  readonly limit: number;
  readonly format: NumberFormat;
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
  /** One text per x, as the result holds it. */
  readonly labels: readonly string[];
  /** Milliseconds or numbers for `time` and `number` axes; empty for categories. */
  readonly positions: readonly number[];
  readonly series: readonly Series[];
  /** Some number was rounded for drawing. */
  readonly rounded: boolean;
}

export const MOST_POINTS = 20_000;
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
  return exact ? drawExact(exact).value : Number.NaN;
}

function merge(now: Exact, next: Exact, combine: Exclude<Combine, 'refuse'>): Exact {
  if (combine === 'sum') return addExact(now, next);
  const order = compareExact(now, next);
  return combine === 'min' ? (order <= 0 ? now : next) : order >= 0 ? now : next;
}

/** The columns an option names, checked: the first that is gone or no number is the problem. */
function resolveColumns(table: ResultTable, options: SeriesOptions): Outcome<{ x: number; group: number; ys: number[] }> {
  if (table.rows.length === 0) return fail('noRows');
  if (!options.x) return fail('columnUnset', { axis: 'x' });
  if (options.y.length === 0) return fail('columnUnset', { axis: 'y' });
  for (const name of [options.x, ...options.y, ...(options.group ? [options.group] : [])]) {
    if (columnIndex(table, name) < 0) return fail('columnMissing', { column: name });
  }
  const ys = options.y.map((name) => columnIndex(table, name));
  const wrong = ys.find((index) => !isNumeric(table.columns[index]?.type ?? ''));
  if (wrong !== undefined) return fail('notNumber', { column: table.columns[wrong]?.name ?? '' });
  return { ok: true, model: { x: columnIndex(table, options.x), group: options.group ? columnIndex(table, options.group) : -1, ys } };
}

/** Builds the series; `order` keeps the result's order of categories or sorts x by value. */
export function buildSeries(table: ResultTable, options: SeriesOptions, order: 'asIs' | 'sorted'): Outcome<SeriesModel> {
  const columns = resolveColumns(table, options);
  if (!columns.ok) return columns;
  const { x, group, ys } = columns.model;
  const axis = axisOf(table, x);
  const buckets = new Map<string, Bucket>();
  const cells = new Map<string, Map<string, Exact>>();

  for (const row of table.rows) {
    const cell = row[x] ?? null;
    const label = cell === null ? 'null' : fullText(cell);
    if (!buckets.has(label)) buckets.set(label, { label, cell, position: positionOf(axis, cell) });
    for (const index of ys) {
      const column = table.columns[index]?.name ?? '';
      const part = group < 0 ? '' : row[group] === null ? 'null' : fullText(row[group] ?? null);
      const name = group < 0 ? column : ys.length === 1 ? part : `${part}, ${column}`;
      const series = cells.get(name) ?? new Map<string, Exact>();
      cells.set(name, series);
      const raw = parseExact(row[index]);
      if (!raw) continue;
      const value = isEtherUnit(options.format) ? inUnit(raw, options.format) : raw;
      const before = series.get(label);
      if (before && options.combine === 'refuse') return fail('duplicateX', { x: label, series: name });
      series.set(label, before && options.combine !== 'refuse' ? merge(before, value, options.combine) : value);
    }
  }

  const type = table.columns[x]?.type ?? '';
  let axisBuckets = [...buckets.values()];
  if (axis !== 'category' || order === 'sorted') axisBuckets.sort((a, b) => (axis === 'time' ? a.position - b.position : compareCells(a.cell, b.cell, type)));
  if (axis !== 'category') axisBuckets = axisBuckets.filter((bucket) => !Number.isNaN(bucket.position));
  if (axis === 'time' && options.missing !== 'connect') axisBuckets = fillTimes(axisBuckets);
  const limited = limitSeries(cells, options.limit, group >= 0);
  if (axisBuckets.length * limited.size > MOST_POINTS) return fail('tooManyPoints', { points: axisBuckets.length * limited.size, most: MOST_POINTS });
  return { ok: true, model: finish(axis, axisBuckets, limited, options.missing === 'zero') };
}

/** Grouped series by falling total; those beyond the limit become one sum. */
function limitSeries(cells: Map<string, Map<string, Exact>>, limit: number, grouped: boolean): Map<string, Map<string, Exact>> {
  if (!grouped) return cells;
  const zero: Exact = { digits: 0n, scale: 0 };
  const totals = [...cells].map(([name, series]) => ({ name, series, total: [...series.values()].reduce(addExact, zero) }));
  totals.sort((a, b) => compareExact(b.total, a.total));
  if (totals.length <= limit) return new Map(totals.map(({ name, series }) => [name, series]));
  const kept = new Map(totals.slice(0, limit - 1).map(({ name, series }) => [name, series]));
  const rest = new Map<string, Exact>();
  for (const { series } of totals.slice(limit - 1)) {
    for (const [label, value] of series) rest.set(label, addExact(rest.get(label) ?? zero, value));
  }
  return kept.set(OTHER, rest);
}

function finish(axis: SeriesModel['axis'], buckets: Bucket[], cells: Map<string, Map<string, Exact>>, zero: boolean): SeriesModel {
  let rounded = false;
  const series = [...cells].map(([name, byLabel]) => {
    const values = buckets.map(({ label }) => byLabel.get(label) ?? (zero ? { digits: 0n, scale: 0 } : null));
    const points = values.map((value) => {
      if (!value) return null;
      const drawn = drawExact(value);
      rounded ||= drawn.rounded;
      return drawn.value;
    });
    const other = name === OTHER;
    return { name: other ? '' : name, values, points, other };
  });
  const positions = axis === 'category' ? [] : buckets.map((bucket) => bucket.position);
  return { axis, labels: buckets.map((bucket) => bucket.label), positions, series, rounded };
}
