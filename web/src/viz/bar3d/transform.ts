/** Rows to bars on a floor of two columns' values. */
import { buildMatrix, type MatrixModel } from '../matrix';
import type { Outcome, ResultTable } from '../types';
import type { Bar3dOptions } from './options';

const MOST_BARS = 5_000;

export function transform(table: ResultTable, options: Bar3dOptions): Outcome<MatrixModel> {
  return buildMatrix(table, options, MOST_BARS);
}
