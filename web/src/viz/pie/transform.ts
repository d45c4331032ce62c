/** Rows to slices of one whole. */
import { addExact, compareExact, ratioExact, sumExact, timesExact, ZERO, type Exact } from '@/lib/exact';
import { Drawing } from '../numbers';
import { namedValues, negativeOf, resolve, sorted, topAndOther, type Named } from '../read';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { PieOptions } from './options';

export interface Slice extends Named {
  readonly point: number;
  /** Percent of the whole, two places. */
  readonly share: Exact;
  /** How many names the rest holds; 1 for a name of its own. */
  readonly names: number;
}

export interface PieModel {
  readonly slices: readonly Slice[];
  readonly total: Exact;
  readonly notes: readonly Note[];
}

export const MOST_SLICES = 100;

export function transform(table: ResultTable, options: PieOptions): Outcome<PieModel> {
  const columns = resolve(table, { category: { column: options.category, part: 'category' }, value: { column: options.value, part: 'value', numeric: true } });
  if (!columns.ok) return columns;
  const read = namedValues(table, columns.model.category, columns.model.value, options.format, options.combine);
  if (!read.ok) return read;
  const negative = negativeOf(read.model);
  if (negative) return negative;
  if (read.model.length === 0) return fail('notNumber', { column: options.value });
  const total = sumExact(read.model.map((slice) => slice.value));
  if (total.digits === 0n) return fail('allZero');
  const kept = topAndOther(gatherSmall(sorted(read.model, options.sort), total, options.minShare), options.top);
  if (kept.length > MOST_SLICES) return fail('tooManySlices', { slices: kept.length, most: MOST_SLICES });
  const drawing = new Drawing();
  const merged = mergeRest(kept);
  const rest = read.model.length - merged.filter((slice) => !slice.other).length;
  const slices = merged.map((slice) => ({ ...slice, names: slice.other ? rest : 1, point: drawing.number(slice.value), share: ratioExact(timesExact(slice.value, 100n), total, 2) ?? ZERO }));
  return ok({ slices, total, notes: drawing.notes() });
}

/** Slices below the smallest share become part of the rest. */
function gatherSmall(slices: readonly Named[], total: Exact, minShare: number): Named[] {
  const small = minShare > 0 ? slices.filter((slice) => compareExact(timesExact(slice.value, 100n), timesExact(total, BigInt(minShare))) < 0) : [];
  if (small.length < 2) return [...slices];
  const gone = new Set(small);
  return [...slices.filter((slice) => !gone.has(slice)), { name: '', value: sumExact(small.map((slice) => slice.value)), other: true }];
}

/** One rest, whichever limits cut it off. */
function mergeRest(slices: readonly Named[]): Named[] {
  const rest = slices.filter((slice) => slice.other);
  if (rest.length < 2) return [...slices];
  return [...slices.filter((slice) => !slice.other), { name: '', value: rest.map((slice) => slice.value).reduce(addExact), other: true }];
}
