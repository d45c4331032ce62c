/** One value out of the result as a big number, with its change and its course. */
import { formatNumber, fullText } from '@/lib/columns';
import { drawExact, groupExact, parseExact, plainExact, ratioExact, subtractExact, timesExact, type Exact } from '@/lib/exact';
import { columnIndex } from '../mapping';
import { everyNth } from '../sample';
import { fail, type Outcome, type ResultTable } from '../types';
import type { CounterOptions } from './options';

export interface Change {
  /** Percent with its sign, one place. */
  readonly text: string;
  readonly tone: 'plain' | 'ok' | 'bad';
}

export interface CounterModel {
  readonly text: string;
  /** All digits, for tooltip and copy. */
  readonly full: string;
  readonly change: Change | null;
  /** Values for the small line, the oldest first. */
  readonly spark: readonly number[];
}

const MOST_SPARKS = 120;

export function transform(table: ResultTable, options: CounterOptions): Outcome<CounterModel> {
  const write = (exact: Exact) => options.prefix + formatNumber(exact, options.format, options.decimals) + options.suffix;
  if (options.column === '') {
    const count = { digits: BigInt(table.total), scale: 0 };
    return { ok: true, model: { text: write(count), full: plainExact(count), change: null, spark: [] } };
  }
  if (table.rows.length === 0) return fail('noRows');
  const index = columnIndex(table, options.column);
  if (index < 0) return fail('columnMissing', { column: options.column });
  const at = (row: number): Outcome<Exact> => {
    const cells = table.rows[row - 1];
    if (!cells) return fail('rowBeyond', { row, rows: table.rows.length });
    const cell = cells[index] ?? null;
    if (cell === null) return fail('noValue', { column: options.column, row });
    const exact = parseExact(fullText(cell));
    return exact ? { ok: true, model: exact } : fail('notNumber', { column: options.column });
  };
  const value = at(options.row);
  if (!value.ok) return value;
  const before = options.compareRow > 0 ? at(options.compareRow) : null;
  if (before && !before.ok) return before;
  const spark = options.spark ? table.rows.flatMap((row) => parseExact(row[index]) ?? []).map((exact) => drawExact(exact).value) : [];
  // Compared with a later row, the newest row comes first.
  if (options.compareRow > options.row) spark.reverse();
  return { ok: true, model: { text: write(value.model), full: plainExact(value.model), change: before?.ok ? changeOf(value.model, before.model, options.good) : null, spark: everyNth(spark, MOST_SPARKS) } };
}

function changeOf(now: Exact, before: Exact, good: CounterOptions['good']): Change | null {
  const size = before.digits < 0n ? { ...before, digits: -before.digits } : before;
  const percent = ratioExact(timesExact(subtractExact(now, before), 100n), size, 1);
  if (!percent) return null;
  const rises = percent.digits > 0n;
  const tone = good === 'none' || percent.digits === 0n ? 'plain' : rises === (good === 'up') ? 'ok' : 'bad';
  return { text: `${rises ? '+' : ''}${groupExact(percent)}%`, tone };
}
