/** Rows to bars on a floor of two columns' values. */
import { buildMatrix, type MatrixModel } from '../matrix';
import type { Outcome, ResultTable } from '../types';
import type { Bar3dOptions } from './options';

/** More names cannot be written along the floor. */
const MOST = { cells: 5_000, names: 40 };

export function transform(table: ResultTable, options: Bar3dOptions): Outcome<MatrixModel> {
  return buildMatrix(table, options, MOST);
}
