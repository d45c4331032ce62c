/** Rows to bars: one bar per x and series. */
import { compareExact, sumExact, type Exact } from '@/lib/exact';
import { logNotes } from '../cartesian';
import { Drawing } from '../numbers';
import { buildSeries, type SeriesModel } from '../series';
import { fail, ok, type Outcome, type ResultTable } from '../types';
import type { BarOptions } from './options';

export function transform(table: ResultTable, options: BarOptions): Outcome<SeriesModel> {
  const outcome = buildSeries(table, options, 'asIs');
  if (!outcome.ok) return outcome;
  const model = outcome.model.axis === 'category' ? arrange(outcome.model, options) : outcome.model;
  const negative = options.stack === 'percent' ? model.series.find((series) => series.values.some((value) => value !== null && value.digits < 0n)) : undefined;
  if (negative) return fail('percentNegative', { series: negative.name });
  return ok({ ...model, notes: [...model.notes, ...logNotes(model, options.log && options.stack === 'none')] });
}

/** Categories in the wanted order, the smallest beyond the limit added up to one at the end. */
function arrange(model: SeriesModel, { sort, top }: BarOptions): SeriesModel {
  const total = (at: number): Exact => sumExact(model.series.flatMap((series) => series.values[at] ?? []));
  const places = model.labels.map((label, at) => ({ at, label, total: total(at) }));
  const ranked = [...places].sort((a, b) => compareExact(b.total, a.total));
  const cut = top > 0 && places.length > top ? new Set(ranked.slice(top)) : new Set<never>();
  const kept = places.filter((place) => !cut.has(place as never));
  if (sort === 'falling') kept.sort((a, b) => compareExact(b.total, a.total));
  if (sort === 'rising') kept.sort((a, b) => compareExact(a.total, b.total));
  if (sort === 'name') kept.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
  const drawing = new Drawing();
  const series = model.series.map((one) => {
    const values = kept.map(({ at }) => one.values[at] ?? null);
    if (cut.size > 0) values.push(sumExact([...cut].flatMap((place: { at: number }) => one.values[place.at] ?? [])));
    return { ...one, values, points: values.map((value) => drawing.maybe(value)) };
  });
  return { ...model, labels: [...kept.map(({ label }) => label), ...(cut.size > 0 ? [''] : [])], series, restAtEnd: cut.size > 0, notes: drawing.notes() };
}
