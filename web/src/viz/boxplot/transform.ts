/** Rows to boxes: exact quartiles (linear between two values), whiskers and what lies beyond them. */
import { addExact, compareExact, shiftDown, subtractExact, timesExact, type Exact } from '@/lib/exact';
import { Drawing, readNumber } from '../numbers';
import { nameOf, resolve } from '../read';
import { everyNth } from '../sample';
import { cut } from '../tooltip';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { BoxplotOptions } from './options';

export interface BoxOf {
  readonly name: string;
  /** Lower whisker, lower quartile, median, upper quartile, upper whisker. */
  readonly five: readonly [Exact, Exact, Exact, Exact, Exact];
  readonly points: readonly number[];
  readonly outliers: readonly { readonly value: Exact; readonly point: number }[];
  /** How many values it stands for; null where the result brought the five numbers. */
  readonly count: number | null;
}

export interface BoxplotModel {
  readonly boxes: readonly BoxOf[];
  readonly notes: readonly Note[];
}

const MOST_BOXES = 60;
const MOST_OUTLIERS = 500;
const FEW = 5;

export function transform(table: ResultTable, options: BoxplotOptions): Outcome<BoxplotModel> {
  return options.layout === 'five' ? fromFive(table, options) : fromValues(table, options);
}

/** The value at `quarter` of four in sorted values, between two of them in proportion. */
export function quartile(values: readonly Exact[], quarter: 1 | 2 | 3): Exact {
  const place = (values.length - 1) * quarter;
  const low = values[Math.floor(place / 4)] as Exact;
  const high = values[Math.min(values.length - 1, Math.floor(place / 4) + 1)] as Exact;
  // Quarters are hundredths, so the value between two stays exact.
  const part = shiftDown(timesExact(subtractExact(high, low), BigInt((place % 4) * 25)), 2);
  return addExact(low, part);
}

function fromValues(table: ResultTable, options: BoxplotOptions): Outcome<BoxplotModel> {
  const columns = resolve(table, { category: { column: options.category, part: 'category', optional: true }, value: { column: options.value, part: 'value', numeric: true } });
  if (!columns.ok) return columns;
  const { category, value } = columns.model;
  const groups = new Map<string, Exact[]>();
  for (const row of table.rows) {
    const exact = readNumber(row[value], options.format);
    if (!exact) continue;
    const name = category < 0 ? options.value : nameOf(row[category]);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(exact);
  }
  if (groups.size === 0) return fail('notNumber', { column: options.value });
  const drawing = new Drawing();
  let cutOutliers = 0;
  const ranked = [...groups].sort((a, b) => b[1].length - a[1].length);
  const kept = new Set(ranked.slice(0, MOST_BOXES).map(([name]) => name));
  const boxes = [...groups].filter(([name]) => kept.has(name)).map(([name, group]): BoxOf => {
    const values = group.sort(compareExact);
    const [low, middle, high] = [quartile(values, 1), quartile(values, 2), quartile(values, 3)];
    const reach = shiftDown(timesExact(subtractExact(high, low), 15n), 1);
    const inside = options.whiskers === 'minMax' ? values : values.filter((one) => compareExact(one, subtractExact(low, reach)) >= 0 && compareExact(one, addExact(high, reach)) <= 0);
    const five = [inside[0] ?? low, low, middle, high, inside.at(-1) ?? high] as const;
    const beyond = values.filter((one) => compareExact(one, five[0]) < 0 || compareExact(one, five[4]) > 0);
    if (beyond.length > MOST_OUTLIERS) cutOutliers += beyond.length - MOST_OUTLIERS;
    const outliers = options.outliers ? everyNth(beyond, MOST_OUTLIERS).map((one) => ({ value: one, point: drawing.number(one) })) : [];
    return { name, five, points: five.map((one) => drawing.number(one)), outliers, count: values.length };
  });
  const few = boxes.filter((box) => (box.count ?? FEW) < FEW);
  const notes: Note[] = [...drawing.notes()];
  if (kept.size < groups.size) notes.push({ code: 'boxesCut', values: { drawn: kept.size, all: groups.size } });
  if (few.length > 0) notes.push({ code: 'fewValues', values: { names: few.slice(0, 3).map((box) => cut(box.name)).join(', '), count: few.length } });
  if (options.outliers && cutOutliers > 0) notes.push({ code: 'outliersCut', values: { count: cutOutliers } });
  return ok({ boxes, notes });
}

function fromFive(table: ResultTable, options: BoxplotOptions): Outcome<BoxplotModel> {
  const part = (column: string, name: 'lowest' | 'lowerQuartile' | 'median' | 'upperQuartile' | 'highest') => ({ column, part: name, numeric: true });
  const columns = resolve(table, {
    category: { column: options.category, part: 'category', optional: true },
    lowest: part(options.lowest, 'lowest'),
    lowerQuartile: part(options.lowerQuartile, 'lowerQuartile'),
    median: part(options.median, 'median'),
    upperQuartile: part(options.upperQuartile, 'upperQuartile'),
    highest: part(options.highest, 'highest'),
  });
  if (!columns.ok) return columns;
  const { category, ...places } = columns.model;
  const drawing = new Drawing();
  const boxes: BoxOf[] = [];
  for (const [at, row] of table.rows.slice(0, MOST_BOXES).entries()) {
    const five = [places.lowest, places.lowerQuartile, places.median, places.upperQuartile, places.highest].map((place) => readNumber(row[place], options.format));
    const name = category < 0 ? String(at + 1) : nameOf(row[category]);
    if (!five.every((value) => value !== null)) return fail('notNumber', { column: name });
    if (five.some((value, index) => index > 0 && compareExact(five[index - 1] ?? value, value) > 0)) return fail('notAscending', { name });
    boxes.push({ name, five: five as unknown as BoxOf['five'], points: five.map((value) => drawing.number(value)), outliers: [], count: null });
  }
  const left: Note[] = table.rows.length > boxes.length ? [{ code: 'rowsCut', values: { drawn: boxes.length, all: table.rows.length } }] : [];
  return ok({ boxes, notes: [...drawing.notes(), ...left] });
}
