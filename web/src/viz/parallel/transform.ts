/** Rows to lines across parallel axes. */
import { isNumeric, type Cell, type Column } from '@/lib/columns';
import { parseExact } from '@/lib/exact';
import { timeOf } from '../mapping';
import { Drawing, exactText, plainDress } from '../numbers';
import { nameOf, resolve, resolveAll } from '../read';
import { everyNth } from '../sample';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { ParallelOptions } from './options';

export interface Axis {
  readonly name: string;
  /** Of the column, as the result has it. */
  readonly dataType: Column['type'];
  readonly type: 'value' | 'log' | 'time' | 'category';
  /** Names of a category axis in their order. */
  readonly names: readonly string[];
  readonly inverse: boolean;
}

export interface Line {
  readonly points: readonly (number | string)[];
  /** Exact texts for the tooltip. */
  readonly texts: readonly string[];
  /** The same as the result holds them, for the table. */
  readonly cells: readonly Cell[];
}

export interface Bundle {
  readonly name: string;
  readonly other: boolean;
  readonly lines: readonly Line[];
}

export interface ParallelModel {
  readonly axes: readonly Axis[];
  readonly bundles: readonly Bundle[];
  readonly notes: readonly Note[];
}

const MOST_LINES = 5_000;
const MOST_NAMES = 60;
const MOST_BUNDLES = 10;

export function transform(table: ResultTable, options: ParallelOptions): Outcome<ParallelModel> {
  if (table.rows.length === 0) return fail('noRows');
  if (options.dimensions.length < 2) return fail('fewDimensions');
  const places = resolveAll(table, options.dimensions, 'dimensions');
  if (!places.ok) return places;
  const group = resolve(table, { group: { column: options.group, part: 'group', optional: true } });
  if (!group.ok) return group;
  const rows = everyNth(table.rows, MOST_LINES);
  const notes: Note[] = rows.length < table.rows.length ? [{ code: 'sampled', values: { drawn: rows.length, all: table.rows.length } }] : [];
  const axes: Axis[] = [];
  for (const place of places.model) {
    const axis = axisOf(table, rows, place, options);
    if (axis.names.length > MOST_NAMES) return fail('tooManyCategories', { column: axis.name, categories: axis.names.length, most: MOST_NAMES });
    axes.push(axis);
  }
  const drawing = new Drawing();
  let hidden = 0;
  const bundles = new Map<string, Line[]>();
  for (const row of rows) {
    const cells = places.model.map((place) => row[place] ?? null);
    const points = cells.map((cell, at) => pointOf(cell, axes[at] as Axis, drawing));
    if (points.some((point) => point === null)) {
      hidden += 1;
      continue;
    }
    const name = group.model.group < 0 ? '' : nameOf(row[group.model.group]);
    const lines = bundles.get(name) ?? [];
    bundles.set(name, lines);
    lines.push({ points: points as (number | string)[], texts: cells.map((cell) => textOf(cell)), cells });
  }
  if (hidden > 0) notes.push({ code: 'linesLeftOut', values: { count: hidden } });
  return ok({ axes, bundles: fewBundles(bundles), notes: [...drawing.notes(), ...notes] });
}

function axisOf(table: ResultTable, rows: ResultTable['rows'], place: number, options: ParallelOptions): Axis {
  const { name, type } = table.columns[place] ?? { name: '', type: '' };
  const common = { name, dataType: type, inverse: options.inverted.includes(name) };
  if (isNumeric(type)) return { ...common, type: options.logarithmic.includes(name) ? 'log' : 'value', names: [] };
  const cells = rows.map((row) => row[place] ?? null).filter((cell) => cell !== null);
  if (cells.length > 0 && cells.every((cell) => timeOf(cell) !== null)) return { ...common, type: 'time', names: [] };
  return { ...common, type: 'category', names: [...new Set(rows.map((row) => nameOf(row[place])))] };
}

/** Where a cell stands on its axis; null where it has no place there. */
function pointOf(cell: Cell, axis: Axis, drawing: Drawing): number | string | null {
  if (axis.type === 'category') return nameOf(cell);
  if (axis.type === 'time') return timeOf(cell);
  const exact = parseExact(cell);
  if (!exact || (axis.type === 'log' && exact.digits <= 0n)) return null;
  return drawing.number(exact);
}

function textOf(cell: Cell): string {
  const exact = parseExact(cell);
  return exact ? exactText(exact, plainDress) : nameOf(cell);
}

function fewBundles(found: Map<string, Line[]>): Bundle[] {
  const ranked = [...found].sort((a, b) => b[1].length - a[1].length);
  if (ranked.length <= MOST_BUNDLES) return ranked.map(([name, lines]) => ({ name, other: false, lines }));
  const rest = ranked.slice(MOST_BUNDLES - 1).flatMap(([, lines]) => lines);
  return [...ranked.slice(0, MOST_BUNDLES - 1).map(([name, lines]) => ({ name, other: false, lines })), { name: '', other: true, lines: rest }];
}
