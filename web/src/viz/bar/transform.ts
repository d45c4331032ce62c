/** Rows to bars: one bar per x and series. */
import { compareExact, sumExact, type Exact } from '@/lib/exact';
import { logNotes } from '../cartesian';
import { Drawing } from '../numbers';
import { buildSeries, type SeriesModel } from '../series';
import { cut as shorten } from '../tooltip';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { BarOptions } from './options';

export function transform(table: ResultTable, options: BarOptions): Outcome<SeriesModel> {
  const outcome = buildSeries(table, options, 'asIs');
  if (!outcome.ok) return outcome;
  const model = outcome.model.axis === 'category' ? arrange(outcome.model, options) : outcome.model;
  const negative = options.stack === 'percent' ? model.series.find((series) => series.values.some((value) => value !== null && value.digits < 0n)) : undefined;
  if (negative) return fail('percentNegative', { series: negative.name });
  return ok({ ...model, notes: [...model.notes, ...logNotes(model, options.log && options.stack === 'none')] });
}

/** Bars that nobody limited: up to so many are all drawn, of more the largest. */
const TELLABLE = 60;
const LARGEST = 50;

/** Categories in the wanted order, the smallest beyond the limit added up to one at the end; without a chosen limit they are left out. */
function arrange(model: SeriesModel, options: BarOptions): SeriesModel {
  const { sort, top } = options;
  const total = (at: number): Exact => sumExact(model.series.flatMap((series) => series.values[at] ?? []));
  const places = model.labels.map((label, at) => ({ at, label, total: total(at) }));
  const ranked = [...places].sort((a, b) => compareExact(b.total, a.total));
  const most = top >= 0 ? top : places.length > TELLABLE ? LARGEST : 0;
  const cut = new Set(most > 0 ? ranked.slice(most) : []);
  const kept = places.filter((place) => !cut.has(place));
  const rest = top > 0 && cut.size > 0;
  if (sort === 'falling') kept.sort((a, b) => compareExact(b.total, a.total));
  if (sort === 'rising') kept.sort((a, b) => compareExact(a.total, b.total));
  if (sort === 'name') kept.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
  const drawing = new Drawing();
  const series = model.series.map((one) => {
    const values = kept.map(({ at }) => one.values[at] ?? null);
    if (rest) values.push(sumExact([...cut].flatMap((place) => one.values[place.at] ?? [])));
    return { ...one, values, points: values.map((value) => drawing.maybe(value)) };
  });
  const left: Note[] = cut.size > 0 && !rest ? [{ code: 'namesCut', values: { column: shorten(options.x), drawn: kept.length, all: places.length } }] : [];
  return { ...model, labels: [...kept.map(({ label }) => label), ...(rest ? [''] : [])], series, restAtEnd: rest, notes: [...drawing.notes(), ...left] };
}
