/** Rows to coloured cells of a grid or a calendar. */
import { drawExact, parseExact } from '@/lib/exact';
import { timeOf } from '../mapping';
import { buildMatrix, type MatrixModel } from '../matrix';
import { columnIndex } from '../mapping';
import { tickText } from '../numbers';
import { timeLabel } from '../periods';
import { fail, ok, type Outcome, type ResultTable } from '../types';
import type { HeatmapOptions } from './options';

const MOST = { cells: 10_000, names: 60 };
const MOST_YEARS = 5;

export function transform(table: ResultTable, options: HeatmapOptions): Outcome<MatrixModel> {
  const calendar = options.layout === 'calendar';
  const built = buildMatrix(calendar ? asDays(table, options) : table, calendar ? { ...options, y: options.x } : options, MOST);
  if (!built.ok) return built;
  const { model } = built;
  if (calendar) {
    if (!model.xs.every((label) => timeOf(label) !== null)) return fail('needTime', { column: options.x });
    const years = new Set(model.xs.map((label) => label.slice(0, 4))).size;
    if (years > MOST_YEARS) return fail('tooManyYears', { years, most: MOST_YEARS });
  }
  for (const bound of [options.min, options.max]) if (bound.trim() !== '' && !parseExact(bound)) return fail('boundNotNumber', { text: bound });
  const [min = null, max = null] = [parseExact(options.min), parseExact(options.max)].map((bound) => bound && drawExact(bound).value);
  const [low, high] = options.palette === 'diverging' ? aroundZero(model, min, max) : [min ?? model.low, max ?? model.high];
  if (low > high) return fail('minAboveMax', { min: options.min || tickText(model.low), max: options.max || tickText(model.high) });
  return ok({ ...model, low, high });
}

/** Two-sided colours part at zero: where the values lie on both sides of it, each end that nobody chose is as far from it as the other. */
function aroundZero({ low, high }: MatrixModel, min: number | null, max: number | null): [number, number] {
  if ((min ?? low) >= 0 || (max ?? high) <= 0) return [min ?? low, max ?? high];
  const reach = max ?? (min === null ? Math.max(-low, high) : -min);
  return [min ?? -reach, max ?? reach];
}

/** Times cut to their day: a calendar has one cell a day. */
function asDays(table: ResultTable, options: HeatmapOptions): ResultTable {
  const at = columnIndex(table, options.x);
  return { ...table, rows: table.rows.map((row) => row.map((cell, index) => (index === at && timeOf(cell) !== null ? timeLabel(timeOf(cell) ?? 0).slice(0, 10) : cell))) };
}
