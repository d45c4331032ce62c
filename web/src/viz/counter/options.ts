/** What a counter can be told, and what it takes by itself. */
import type { NumberFormat } from '@/lib/columns';
import { numericColumns } from '../mapping';
import type { ResultTable } from '../types';

export interface CounterOptions {
  /** Empty counts the rows of the whole result. */
  column: string;
  /** Row the value is taken from, counted from 1. */
  row: number;
  label: string;
  prefix: string;
  suffix: string;
  /** Places after the point; -1 keeps them all. */
  decimals: number;
  format: NumberFormat;
  /** Row the change is counted from; 0 shows none. */
  compareRow: number;
  /** What a rise means to the reader: only then is it coloured. */
  good: 'none' | 'up' | 'down';
  /** A small line of the column's values in all rows. */
  spark: boolean;
}

export function defaults(table: ResultTable): CounterOptions {
  return { column: numericColumns(table)[0] ?? '', row: 1, label: '', prefix: '', suffix: '', decimals: -1, format: 'grouped', compareRow: 0, good: 'none', spark: false };
}
