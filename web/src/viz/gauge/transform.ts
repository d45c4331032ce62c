/** One number of the result on a scale. */
import { compareExact, parseExact, plainExact, ratioExact, subtractExact, timesExact, ZERO, type Exact } from '@/lib/exact';
import { Drawing, exactText, readNumber, unitOf } from '../numbers';
import { resolve } from '../read';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { GaugeOptions } from './options';

export interface GaugeModel {
  readonly value: Exact;
  readonly min: Exact;
  readonly max: Exact;
  readonly target: Exact | null;
  /** Percent of the way from min to max, two places. */
  readonly share: Exact;
  readonly points: { readonly value: number; readonly min: number; readonly max: number; readonly target: number | null };
  readonly notes: readonly Note[];
}

export function transform(table: ResultTable, options: GaugeOptions): Outcome<GaugeModel> {
  const columns = resolve(table, { value: { column: options.value, part: 'value', numeric: true } });
  if (!columns.ok) return columns;
  const row = table.rows[options.row - 1];
  if (!row) return fail('rowBeyond', { row: options.row, rows: table.rows.length });
  const cell = row[columns.model.value] ?? null;
  if (cell === null) return fail('noValue', { column: options.value, row: options.row });
  const value = readNumber(cell, options.format);
  if (!value) return fail('notNumber', { column: options.value });
  for (const bound of [options.min, options.max, options.target]) if (bound.trim() !== '' && !parseExact(bound)) return fail('boundNotNumber', { text: bound });
  const target = parseExact(options.target);
  const { min, max } = scaleOf(value, target, options);
  if (compareExact(min, max) >= 0) return fail('minAboveMax', { min: plainExact(min), max: plainExact(max) });
  if (compareExact(value, min) < 0 || compareExact(value, max) > 0) return fail('outsideScale', { value: exactText(value, options), min: exactText(min, options), max: exactText(max, options) });
  const drawing = new Drawing();
  const points = { value: drawing.number(value), min: drawing.number(min), max: drawing.number(max), target: drawing.maybe(target) };
  return ok({ value, min, max, target, share: ratioExact(timesExact(subtractExact(value, min), 100n), subtractExact(max, min), 2) ?? ZERO, points, notes: drawing.notes() });
}

const HUNDRED: Exact = { digits: 100n, scale: 0 };
const PERCENT_NAME = /(^|[_ ])(percent|percentage|pct)([_ ]|$)/i;

/** The ends of the scale: those that were chosen, else round numbers around zero, the value and the target; percentages go up to 100. */
function scaleOf(value: Exact, target: Exact | null, options: GaugeOptions): { min: Exact; max: Exact } {
  const [high, low] = target && compareExact(target, value) > 0 ? [target, value] : [value, target ?? value];
  const min = parseExact(options.min) ?? (low.digits < 0n ? negated(niceCeiling(negated(low), ZERO, low === value)) : ZERO);
  const chosen = parseExact(options.max);
  if (chosen) return { min, max: chosen };
  const percent = unitOf(options) === '%' || PERCENT_NAME.test(options.value);
  if (percent && compareExact(high, HUNDRED) <= 0 && compareExact(min, HUNDRED) < 0 && high.digits >= 0n) return { min, max: HUNDRED };
  return { min, max: niceCeiling(high, min, high === value) };
}

const negated = ({ digits, scale }: Exact): Exact => ({ digits: -digits, scale });

/** The next 1, 2, 2.5 or 5 times a power of ten from a number on, or above it; where it is not above `min`, zero or one more than `min`. */
export function niceCeiling(value: Exact, min: Exact, above: boolean): Exact {
  if (compareExact(value, min) <= 0 || value.digits <= 0n) return min.digits < 0n ? ZERO : { digits: min.digits + 10n ** BigInt(min.scale), scale: min.scale };
  const length = value.digits.toString().length;
  for (const [factor, places] of [[1n, 0], [2n, 0], [25n, 1], [5n, 0], [10n, 0], [20n, 0]] as const) {
    const power = length - 1 - value.scale - places;
    const candidate = power >= 0 ? { digits: factor * 10n ** BigInt(power), scale: 0 } : { digits: factor, scale: -power };
    const order = compareExact(candidate, value);
    // A value at the very end of its scale would say that it is full.
    if (order > 0 || (order === 0 && !above)) return candidate;
  }
  return value;
}
