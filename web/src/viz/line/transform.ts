/** Rows to lines: x has to have an order. */
import { classOf } from '@/lib/columns';
import { logNotes } from '../cartesian';
import type { CartesianOptions } from '../cartesian-options';
import { columnIndex } from '../mapping';
import { buildSeries, type SeriesModel } from '../series';
import { fail, ok, type Outcome, type ResultTable } from '../types';

/** Series over an x that can be put in order: for lines and areas. */
export function orderedSeries(table: ResultTable, options: CartesianOptions): Outcome<SeriesModel> {
  const type = table.columns[columnIndex(table, options.x)]?.type;
  const kind = type === undefined ? 'text' : classOf(type);
  if (kind === 'address' || kind === 'hash' || kind === 'bytes' || kind === 'nested') return fail('notSortable', { column: options.x });
  // A line for each place on its axis would be a point; the group may have been there before the axis was chosen.
  return buildSeries(table, options.group === options.x ? { ...options, group: '' } : options, 'sorted');
}

export function transform(table: ResultTable, options: CartesianOptions): Outcome<SeriesModel> {
  const outcome = orderedSeries(table, options);
  return outcome.ok ? ok({ ...outcome.model, notes: [...outcome.model.notes, ...logNotes(outcome.model, options.log)] }) : outcome;
}
