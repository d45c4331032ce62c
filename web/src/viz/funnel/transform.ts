/** Rows to the steps of a funnel. */
import { ratioExact, timesExact, type Exact } from '@/lib/exact';
import { Drawing } from '../numbers';
import { namedValues, negativeOf, resolve, sorted, type Named } from '../read';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { FunnelOptions } from './options';

export interface Step extends Named {
  readonly point: number;
  /** Percent of the first or the previous step, two places; null where that one is 0. */
  readonly share: Exact | null;
}

export interface FunnelModel {
  readonly steps: readonly Step[];
  readonly notes: readonly Note[];
}

export function transform(table: ResultTable, options: FunnelOptions): Outcome<FunnelModel> {
  const columns = resolve(table, { step: { column: options.step, part: 'step' }, value: { column: options.value, part: 'value', numeric: true } });
  if (!columns.ok) return columns;
  const read = namedValues(table, columns.model.step, columns.model.value, options.format, options.combine);
  if (!read.ok) return read;
  const negative = negativeOf(read.model);
  if (negative) return negative;
  if (read.model.length < 2) return fail('fewSteps');
  const all = sorted(read.model, options.sort);
  const kept = all.slice(0, options.limit);
  const drawing = new Drawing();
  const steps = kept.map((step, at) => {
    const base = kept[options.percent === 'previous' ? Math.max(0, at - 1) : 0] ?? step;
    return { ...step, point: drawing.number(step.value), share: options.percent === 'none' ? null : ratioExact(timesExact(step.value, 100n), base.value, 2) };
  });
  const cut: Note[] = all.length > kept.length ? [{ code: 'stepsCut', values: { drawn: kept.length, all: all.length } }] : [];
  return ok({ steps, notes: [...drawing.notes(), ...cut] });
}
