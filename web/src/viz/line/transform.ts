/** Rows to lines: x has to have an order. */
import { classOf } from '@/lib/columns';
import { columnIndex } from '../mapping';
import { buildSeries, type SeriesModel } from '../series';
import { fail, type Outcome, type ResultTable } from '../types';
import type { LineOptions } from './options';

export function transform(table: ResultTable, options: LineOptions): Outcome<SeriesModel> {
  const type = table.columns[columnIndex(table, options.x)]?.type;
  const kind = type === undefined ? 'text' : classOf(type);
  if (kind === 'address' || kind === 'hash' || kind === 'bytes' || kind === 'nested') return fail('notSortable', { column: options.x });
  return buildSeries(table, options, 'sorted');
}
