/** What a gauge can be told, and what it takes by itself. */
import { numericColumns } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import type { ResultTable } from '../types';

export interface GaugeOptions extends NumberDress {
  value: string;
  /** Row the value is taken from, counted from 1. */
  row: number;
  /** Ends of the scale as decimal texts; an empty one is zero or the next round number, for percentages 100. */
  min: string;
  max: string;
  /** Decimal text; empty draws no target. */
  target: string;
  /** Where the scale turns from good to fair and from fair to poor, in percent of it; both 0 draw one colour. */
  fairFrom: number;
  poorFrom: number;
  startAngle: number;
  endAngle: number;
  progress: boolean;
  pointer: boolean;
  label: string;
}

export function defaults(table: ResultTable): GaugeOptions {
  return { ...plainDress, value: numericColumns(table)[0] ?? '', row: 1, min: '', max: '', target: '', fairFrom: 0, poorFrom: 0, startAngle: 225, endAngle: -45, progress: true, pointer: false, label: '' };
}
