/** One value out of the result as a big number. */
import { formatNumber, fullText } from '@/lib/columns';
import { parseExact, plainExact } from '@/lib/exact';
import { columnIndex } from '../mapping';
import { fail, type Outcome, type ResultTable } from '../types';
import type { CounterOptions } from './options';

export interface CounterModel {
  readonly text: string;
  /** All digits, for tooltip and copy. */
  readonly full: string;
}

export function transform(table: ResultTable, options: CounterOptions): Outcome<CounterModel> {
  const decimals = options.decimals < 0 ? undefined : options.decimals;
  const model = (value: unknown): Outcome<CounterModel> => {
    const exact = parseExact(value);
    if (!exact) return fail('notNumber', { column: options.column });
    return { ok: true, model: { text: options.prefix + formatNumber(exact, options.format, decimals) + options.suffix, full: plainExact(exact) } };
  };
  if (options.column === '') return model(table.total);
  if (table.rows.length === 0) return fail('noRows');
  const index = columnIndex(table, options.column);
  if (index < 0) return fail('columnMissing', { column: options.column });
  const row = table.rows[options.row - 1];
  if (!row) return fail('rowBeyond', { row: options.row, rows: table.rows.length });
  return model(fullText(row[index] ?? null));
}
