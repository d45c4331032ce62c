/** What a sunburst can be told, and what it takes by itself. */
import type { SeriesLook } from '../looks';
import { hierarchyColumns, type HierarchyOptions } from '../hierarchy';
import type { ResultTable } from '../types';

export interface SunburstOptions extends HierarchyOptions {
  sort: 'falling' | 'none';
  label: 'radial' | 'tangential' | 'horizontal' | 'none';
  /** Levels that are drawn; 0 draws them all. */
  depth: number;
  /** A click makes a part the whole picture. */
  zoom: boolean;
  series: SeriesLook[];
}

export function defaults(table: ResultTable): SunburstOptions {
  return { ...hierarchyColumns(table), sort: 'falling', label: 'radial', depth: 0, zoom: true, series: [] };
}
