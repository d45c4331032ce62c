/** Rows as cells of a grid of two columns' values: for heatmaps and bars in space. */
import { isNumeric, type Cell } from '@/lib/columns';
import { compareCells } from '@/lib/columns';
import { addExact, compareExact, ZERO, type Exact } from '@/lib/exact';
import { numericColumns, rolesOf, timeOf } from './mapping';
import { Drawing, plainDress, readNumber, type NumberDress } from './numbers';
import { timeLabel, timeTicks } from './periods';
import { combined, nameOf, resolve, type Combine } from './read';
import { cut } from './tooltip';
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
  /** Types of both columns, as a table needs them to sort their values. */
  readonly xType: string;
  readonly yType: string;
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

/** How many cells can be drawn, and how many names of one column can be told apart. */
export interface MatrixLimits {
  readonly cells: number;
  readonly names: number;
}

/** The grid, or why there is none. */
export function buildMatrix(table: ResultTable, options: MatrixOptions, most: MatrixLimits): Outcome<MatrixModel> {
  const columns = resolve(table, { x: { column: options.x, part: 'x' }, y: { column: options.y, part: 'y' }, value: { column: options.value, part: 'value', numeric: true } });
  if (!columns.ok) return columns;
  const { x, y, value } = columns.model;
  const [allXs, allYs] = [axisOf(table, x), axisOf(table, y)];
  const sums = new Map<number, Exact>();
  for (const row of table.rows) {
    const exact = readNumber(row[value], options.format);
    if (!exact) continue;
    const [first, second] = [nameOf(row[x]), nameOf(row[y])];
    const key = (allXs.places.get(first) ?? 0) * allYs.labels.length + (allYs.places.get(second) ?? 0);
    const before = sums.get(key);
    if (before && options.combine === 'refuse') return fail('duplicatePair', { first, second });
    sums.set(key, before && options.combine !== 'refuse' ? combined(before, exact, options.combine) : exact);
  }
  if (sums.size === 0) return fail('notNumber', { column: options.value });
  const all = [...sums].map(([key, value]): Place => ({ x: Math.floor(key / allYs.labels.length), y: key % allYs.labels.length, value }));
  const xs = largest(allXs, all, 'x', most.names);
  // Only what stands beside the names that are left: each of both ends has a cell.
  const ys = largest(allYs, all.filter((one) => xs.kept.has(one.x)), 'y', most.names);
  const values = new Map<number, Exact>();
  for (const one of all) {
    const [atX, atY] = [xs.kept.get(one.x), ys.kept.get(one.y)];
    if (atX !== undefined && atY !== undefined) values.set(atX * ys.labels.length + atY, one.value);
  }
  if (values.size > most.cells) return fail('tooManyCells', { cells: values.size, most: most.cells });
  const drawing = new Drawing();
  const cells = [...values].map(([key, exact]) => ({ x: Math.floor(key / ys.labels.length), y: key % ys.labels.length, value: exact, point: drawing.number(exact) }));
  const ordered = [...values.values()].sort(compareExact);
  const [low, high] = [ordered[0], ordered.at(-1)].map((one) => (one ? new Drawing().number(one) : 0));
  return ok({ xs: xs.labels, ys: ys.labels, xTicks: xs.ticks, yTicks: ys.ticks, xType: xs.type, yType: ys.type, cells, low: low ?? 0, high: high ?? 0, notes: [...drawing.notes(), ...cutNote(options.x, xs, allXs), ...cutNote(options.y, ys, allYs)] });
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly value: Exact;
}

interface Axis {
  readonly labels: readonly string[];
  readonly ticks: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  readonly type: string;
  /** Names without an order of their own. */
  readonly names: boolean;
}

/** Names in their order, of more than `most` only those with the largest sums; `kept` tells the new place of each former one. */
function largest(axis: Axis, cells: readonly Place[], dim: 'x' | 'y', most: number): Axis & { kept: ReadonlyMap<number, number> } {
  const places = axis.labels.map((_, place) => place);
  if (!axis.names || places.length <= most) return { ...axis, kept: new Map(places.map((place) => [place, place])) };
  const sums = new Map<number, Exact>();
  for (const cell of cells) {
    const size = cell.value.digits < 0n ? { ...cell.value, digits: -cell.value.digits } : cell.value;
    sums.set(cell[dim], addExact(sums.get(cell[dim]) ?? ZERO, size));
  }
  const chosen = new Set([...sums].sort((a, b) => compareExact(b[1], a[1])).slice(0, most).map(([place]) => place));
  const left = places.filter((place) => chosen.has(place));
  const of = (texts: readonly string[]) => left.map((place) => texts[place] ?? '');
  return { ...axis, labels: of(axis.labels), ticks: of(axis.ticks), kept: new Map(left.map((place, at) => [place, at])) };
}

const cutNote = (column: string, { labels }: Axis, all: Axis): Note[] => (labels.length < all.labels.length ? [{ code: 'namesCut', values: { column: cut(column), drawn: labels.length, all: all.labels.length } }] : []);

/** The values of one column: times and numbers in their order, names in that of the result. */
function axisOf(table: ResultTable, index: number): Axis {
  const found = new Map<string, Cell>();
  for (const row of table.rows) found.set(nameOf(row[index]), row[index] ?? null);
  const entries = [...found];
  const type = table.columns[index]?.type ?? '';
  const times = entries.every(([, cell]) => timeOf(cell) !== null);
  const numbers = !times && isNumeric(type);
  if (times) entries.sort((a, b) => (timeOf(a[1]) ?? 0) - (timeOf(b[1]) ?? 0));
  else if (numbers) entries.sort((a, b) => compareCells(a[1], b[1], type));
  const labels = entries.map(([name, cell]) => (times ? timeLabel(timeOf(cell) ?? 0) : name));
  const ticks = times ? timeTicks(entries.map(([, cell]) => timeOf(cell) ?? 0)) : labels;
  return { labels, ticks, places: new Map(entries.map(([name], place) => [name, place])), type, names: !times && !numbers };
}

export const matrixDress = (): NumberDress & { combine: Combine } => ({ ...plainDress, combine: 'refuse' });

/** What a scale of colours needs on both sides where all values are the same. */
export const flatPad = (low: number, high: number): number => (low === high ? Math.max(1, Math.abs(low) / 10) : 0);
