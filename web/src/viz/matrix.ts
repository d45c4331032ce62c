/** Rows as cells of a grid of two columns' values: for heatmaps and bars in space. */
import { isNumeric, type Cell } from '@/lib/columns';
import { compareCells } from '@/lib/columns';
import { compareExact, type Exact } from '@/lib/exact';
import { numericColumns, rolesOf, timeOf } from './mapping';
import { Drawing, plainDress, readNumber, type NumberDress } from './numbers';
import { timeLabel, timeTicks } from './periods';
import { combined, nameOf, resolve, type Combine } from './read';
import { fail, ok, type Note, type Outcome, type ResultTable } from './types';

export interface MatrixOptions extends NumberDress {
  x: string;
  y: string;
  value: string;
  combine: Combine;
}

export interface MatrixCell {
  readonly x: number;
  readonly y: number;
  readonly value: Exact;
  readonly point: number;
}

export interface MatrixModel {
  readonly xs: readonly string[];
  readonly ys: readonly string[];
  /** The same as the axes write them. */
  readonly xTicks: readonly string[];
  readonly yTicks: readonly string[];
  readonly cells: readonly MatrixCell[];
  readonly low: number;
  readonly high: number;
  readonly notes: readonly Note[];
}

/** Two columns that are no measure, times first, and the first number. */
export function matrixColumns(table: ResultTable): Pick<MatrixOptions, 'x' | 'y' | 'value'> {
  const roles = rolesOf(table);
  const numbers = numericColumns(table);
  const value = (roles.number.length > 0 ? roles.number : numbers).at(-1) ?? '';
  const first = roles.number[0];
  const measure = first !== undefined && roles.time.length + roles.category.length + roles.address.length >= 2 ? first : value;
  const [x = '', y = ''] = [...roles.time, ...roles.category, ...roles.address, ...roles.hash, ...numbers].filter((name) => name !== measure);
  return { x, y, value: measure };
}

/** The grid, or why there is none; `most` is how many cells can be drawn. */
export function buildMatrix(table: ResultTable, options: MatrixOptions, most: number): Outcome<MatrixModel> {
  const columns = resolve(table, { x: { column: options.x, part: 'x' }, y: { column: options.y, part: 'y' }, value: { column: options.value, part: 'value', numeric: true } });
  if (!columns.ok) return columns;
  const { x, y, value } = columns.model;
  const xs = axisOf(table, x);
  const ys = axisOf(table, y);
  const values = new Map<number, Exact>();
  for (const row of table.rows) {
    const exact = readNumber(row[value], options.format);
    if (!exact) continue;
    const [first, second] = [nameOf(row[x]), nameOf(row[y])];
    const key = (xs.places.get(first) ?? 0) * ys.labels.length + (ys.places.get(second) ?? 0);
    const before = values.get(key);
    if (before && options.combine === 'refuse') return fail('duplicatePair', { first, second });
    values.set(key, before && options.combine !== 'refuse' ? combined(before, exact, options.combine) : exact);
  }
  if (values.size === 0) return fail('notNumber', { column: options.value });
  if (values.size > most) return fail('tooManyCells', { cells: values.size, most });
  const drawing = new Drawing();
  const cells = [...values].map(([key, exact]) => ({ x: Math.floor(key / ys.labels.length), y: key % ys.labels.length, value: exact, point: drawing.number(exact) }));
  const ordered = [...values.values()].sort(compareExact);
  const [low, high] = [ordered[0], ordered.at(-1)].map((one) => (one ? new Drawing().number(one) : 0));
  return ok({ xs: xs.labels, ys: ys.labels, xTicks: xs.ticks, yTicks: ys.ticks, cells, low: low ?? 0, high: high ?? 0, notes: drawing.notes() });
}

/** The values of one column: times and numbers in their order, names in that of the result. */
function axisOf(table: ResultTable, index: number): { labels: string[]; ticks: string[]; places: Map<string, number> } {
  const found = new Map<string, Cell>();
  for (const row of table.rows) found.set(nameOf(row[index]), row[index] ?? null);
  const entries = [...found];
  const type = table.columns[index]?.type ?? '';
  const times = entries.every(([, cell]) => timeOf(cell) !== null);
  if (times) entries.sort((a, b) => (timeOf(a[1]) ?? 0) - (timeOf(b[1]) ?? 0));
  else if (isNumeric(type)) entries.sort((a, b) => compareCells(a[1], b[1], type));
  const labels = entries.map(([name, cell]) => (times ? timeLabel(timeOf(cell) ?? 0) : name));
  const ticks = times ? timeTicks(entries.map(([, cell]) => timeOf(cell) ?? 0)) : labels;
  return { labels, ticks, places: new Map(entries.map(([name], place) => [name, place])) };
}

export const matrixDress = (): NumberDress & { combine: Combine } => ({ ...plainDress, combine: 'refuse' });
