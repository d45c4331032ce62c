/** Rows to shapes over three or more indicators. */
import { compareExact, sumExact, ZERO, type Exact } from '@/lib/exact';
import { Drawing, readNumber } from '../numbers';
import { combined, nameOf, resolve, resolveAll } from '../read';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { RadarOptions } from './options';

export interface Shape {
  readonly name: string;
  /** One per indicator. */
  readonly values: readonly (Exact | null)[];
  readonly points: readonly number[];
}

export interface RadarModel {
  readonly indicators: readonly { readonly name: string; readonly min: number; readonly max: number }[];
  readonly shapes: readonly Shape[];
  readonly notes: readonly Note[];
}

export const LEAST_INDICATORS = 3;
const MOST_INDICATORS = 30;

type Grid = Map<string, Map<string, Exact>>;

export function transform(table: ResultTable, options: RadarOptions): Outcome<RadarModel> {
  const read = options.layout === 'long' ? readLong(table, options) : readWide(table, options);
  if (!read.ok) return read;
  const { names, shapes } = read.model;
  if (names.length < LEAST_INDICATORS) return fail('radarIndicators');
  if (names.length > MOST_INDICATORS) return fail('tooManyIndicators', { indicators: names.length, most: MOST_INDICATORS });
  const ranked = [...shapes].sort((a, b) => compareExact(sumExact(b[1].values()), sumExact(a[1].values())));
  const kept = new Set(ranked.slice(0, options.limit).map(([name]) => name));
  const drawing = new Drawing();
  const drawn = [...shapes]
    .filter(([name]) => kept.has(name))
    .map(([name, byIndicator]) => {
      const values = names.map((indicator) => byIndicator.get(indicator) ?? null);
      return { name, values, points: values.map((value) => drawing.number(value ?? ZERO)) };
    });
  const bounds = names.map((_, at) => range(drawn.map((shape) => shape.points[at] ?? 0)));
  const shared = range(drawn.flatMap((shape) => shape.points));
  const indicators = names.map((name, at) => ({ name, ...((options.scale === 'shared' ? shared : bounds[at]) ?? shared) }));
  const cut: Note[] = shapes.size > kept.size ? [{ code: 'shapesCut', values: { drawn: kept.size, all: shapes.size } }] : [];
  return ok({ indicators, shapes: drawn, notes: [...drawing.notes(), ...cut] });
}

/** From 0, or below it, up to the largest; a flat range still has a height. */
function range(points: readonly number[]): { min: number; max: number } {
  const min = Math.min(0, ...points);
  const max = Math.max(0, ...points);
  return { min, max: max > min ? max : min + 1 };
}

function readWide(table: ResultTable, options: RadarOptions): Outcome<{ names: string[]; shapes: Grid }> {
  const name = resolve(table, { name: { column: options.name, part: 'name', optional: true } });
  if (!name.ok) return name;
  const places = resolveAll(table, options.indicators, 'indicators', true);
  if (!places.ok) return places;
  const shapes: Grid = new Map();
  for (const [row, cells] of table.rows.entries()) {
    const shape = name.model.name < 0 ? String(row + 1) : nameOf(cells[name.model.name]);
    const known = shapes.get(shape) ?? new Map<string, Exact>();
    if (shapes.has(shape) && options.combine === 'refuse') return fail('duplicateName', { name: shape });
    shapes.set(shape, known);
    for (const [at, place] of places.model.entries()) add(known, options.indicators[at] ?? '', readNumber(cells[place], options.format), options);
  }
  return ok({ names: [...options.indicators], shapes });
}

function readLong(table: ResultTable, options: RadarOptions): Outcome<{ names: string[]; shapes: Grid }> {
  const columns = resolve(table, { name: { column: options.name, part: 'name' }, indicator: { column: options.indicator, part: 'indicator' }, value: { column: options.value, part: 'value', numeric: true } });
  if (!columns.ok) return columns;
  const { name, indicator, value } = columns.model;
  const shapes: Grid = new Map();
  const names = new Set<string>();
  for (const row of table.rows) {
    const shape = nameOf(row[name]);
    const axis = nameOf(row[indicator]);
    names.add(axis);
    const known = shapes.get(shape) ?? new Map<string, Exact>();
    shapes.set(shape, known);
    if (known.has(axis) && options.combine === 'refuse') return fail('duplicatePair', { first: shape, second: axis });
    add(known, axis, readNumber(row[value], options.format), options);
  }
  return ok({ names: [...names], shapes });
}

function add(known: Map<string, Exact>, key: string, value: Exact | null, { combine }: RadarOptions) {
  if (!value) return;
  const before = known.get(key);
  known.set(key, before && combine !== 'refuse' ? combined(before, value, combine) : value);
}
