/** Rows to areas: x has to have an order, shares have to be of one sign. */
import { logNotes } from '../cartesian';
import { orderedSeries } from '../line/transform';
import type { SeriesModel } from '../series';
import { fail, ok, type Outcome, type ResultTable } from '../types';
import type { AreaOptions } from './options';

export function transform(table: ResultTable, options: AreaOptions): Outcome<SeriesModel> {
  const outcome = orderedSeries(table, options);
  if (!outcome.ok) return outcome;
  const { model } = outcome;
  const negative = options.stack === 'none' ? undefined : model.series.find((series) => series.values.some((value) => value !== null && value.digits < 0n));
  if (negative) return fail(options.stack === 'percent' ? 'percentNegative' : 'stackNegative', { series: negative.name });
  return ok({ ...model, notes: [...model.notes, ...logNotes(model, options.log && options.stack === 'none')] });
}
