/** What a 3D bar chart can be told, and what it takes by itself. */
import { matrixColumns, matrixDress, type MatrixOptions } from '../matrix';
import type { ResultTable } from '../types';

export interface Bar3dOptions extends MatrixOptions {
  shading: 'lambert' | 'color' | 'realistic';
  /** The scene turns by itself; never for readers who asked for less motion. */
  rotate: boolean;
  colourByValue: boolean;
  /** Rounding of the bars' edges, 0 to 100 percent of their width. */
  bevel: number;
  /** Height of the camera over the floor in degrees, 0 to 90. */
  tilt: number;
  /** Direction the camera looks from in degrees. */
  turn: number;
  legend: boolean;
}

export function defaults(table: ResultTable): Bar3dOptions {
  return { ...matrixDress(), ...matrixColumns(table), shading: 'lambert', rotate: false, colourByValue: true, bevel: 0, tilt: 28, turn: 38, legend: true };
}
