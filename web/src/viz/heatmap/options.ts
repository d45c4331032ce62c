/** What a heatmap can be told, and what it takes by itself. */
import { rolesOf } from '../mapping';
import { matrixColumns, matrixDress, type MatrixOptions } from '../matrix';
import type { ResultTable } from '../types';

export interface HeatmapOptions extends MatrixOptions {
  /** `calendar` lays one time column out as days of the year. */
  layout: 'grid' | 'calendar';
  palette: 'sequential' | 'diverging';
  /** Ends of the colours as decimal texts; empty takes them from the values. */
  min: string;
  max: string;
  /** Seven steps of colour, or a gradient. */
  steps: boolean;
  labels: boolean;
  legend: boolean;
}

/** A calendar of the only time column with days, else the first two columns that are no measure. */
export function defaults(table: ResultTable): HeatmapOptions {
  const roles = rolesOf(table);
  const columns = matrixColumns(table);
  const calendar = roles.time.length === 1 && roles.category.length + roles.address.length + roles.hash.length === 0 && table.columns.length === 2;
  return { ...matrixDress(), ...columns, layout: calendar ? 'calendar' : 'grid', palette: 'sequential', min: '', max: '', steps: false, labels: false, legend: true };
}
