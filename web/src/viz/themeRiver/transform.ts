/** Rows to streams over time: the series of a grouped time axis, a missing period as nothing. */
import { buildSeries, type SeriesModel } from '../series';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { ThemeRiverOptions } from './options';

/** About as many as there are pixels side by side. */
export const MOST_PERIODS = 800;

export function transform(table: ResultTable, options: ThemeRiverOptions): Outcome<SeriesModel> {
  if (table.rows.length === 0) return fail('noRows');
  if (options.time === '') return { ok: false, problem: { code: 'columnUnset', part: 'time' } };
  if (options.value === '') return { ok: false, problem: { code: 'columnUnset', part: 'value' } };
  if (options.name === '') return { ok: false, problem: { code: 'columnUnset', part: 'name' } };
  const { time: x, value, name: group, combine, limit, format, decimals, unit } = options;
  const built = buildSeries(table, { x, y: [value], group, combine, limit, missing: 'zero', format, decimals, unit }, 'sorted');
  if (!built.ok) return built;
  if (built.model.axis !== 'time') return fail('needTime', { column: options.time });
  if (built.model.labels.length < 2) return fail('fewPeriods');
  const negative = built.model.series.find((series) => series.values.some((one) => one !== null && one.digits < 0n));
  if (negative) return fail('negative', { name: negative.name });
  // Streams without a width cannot be seen.
  if (built.model.series.every((series) => series.values.every((one) => !one || one.digits === 0n))) return fail('allZero');
  const all = built.model.labels.length;
  const sampled: Note[] = all > MOST_PERIODS ? [{ code: 'periodsSampled', values: { drawn: MOST_PERIODS, all } }] : [];
  return ok({ ...built.model, notes: [...built.model.notes, ...sampled] });
}
