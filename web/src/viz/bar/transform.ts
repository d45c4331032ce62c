/** Rows to bars: one bar per x and series. */
import { buildSeries, type SeriesModel } from '../series';
import { fail, type Outcome, type ResultTable } from '../types';
import type { BarOptions } from './options';

export function transform(table: ResultTable, options: BarOptions): Outcome<SeriesModel> {
  const outcome = buildSeries(table, options, 'asIs');
  if (!outcome.ok || options.stack !== 'percent') return outcome;
  const negative = outcome.model.series.find((series) => series.points.some((point) => point !== null && point < 0));
  return negative ? fail('percentNegative', { series: negative.name }) : outcome;
}
