/** What an area chart can be told, and what it takes by itself: as a line, stacked where nothing is below zero. */
import { fullText } from '@/lib/columns';
import { cartesianDefaults, orderedAxis, type CartesianOptions } from '../cartesian-options';
import { columnIndex } from '../mapping';
import type { ResultTable } from '../types';

export interface AreaOptions extends CartesianOptions {
  stack: 'none' | 'stack' | 'percent';
  /** How strongly areas are filled, 10 to 100 percent. */
  opacity: number;
  smooth: boolean;
}

export function defaults(table: ResultTable): AreaOptions {
  const axis = orderedAxis(table);
  return { ...cartesianDefaults(), ...axis, missing: 'zero', stack: belowZero(table, axis.y) ? 'none' : 'stack', opacity: 90, smooth: false };
}

function belowZero(table: ResultTable, columns: readonly string[]): boolean {
  const places = columns.map((name) => columnIndex(table, name));
  return table.rows.some((row) => places.some((place) => fullText(row[place] ?? null).startsWith('-')));
}
