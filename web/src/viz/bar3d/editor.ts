/** The 3D bar chart's fields in the builder. */
import { editorOf } from '../fields';
import type { MatrixModel } from '../matrix';
import type { Bar3dOptions } from './options';

export const Editor = editorOf<Bar3dOptions, MatrixModel>([
  { kind: 'column', key: 'x', label: 'x' },
  { kind: 'column', key: 'y', label: 'y' },
  { kind: 'column', key: 'value', label: 'value', numeric: true },
  { kind: 'choice', key: 'combine', label: 'combine', values: { refuse: 'refuse', sum: 'sum', min: 'smallest', max: 'largest' } },
  { kind: 'section', label: 'look' },
  { kind: 'choice', key: 'shading', label: 'shading', values: { lambert: 'lambert', color: 'flat', realistic: 'realistic' } },
  { kind: 'number', key: 'tilt', label: 'tilt', min: 0, max: 90 },
  { kind: 'number', key: 'turn', label: 'turn', min: -180, max: 180 },
  { kind: 'number', key: 'bevel', label: 'bevel', min: 0, max: 100 },
  { kind: 'toggle', key: 'colourByValue', label: 'colourByValue' },
  { kind: 'toggle', key: 'rotate', label: 'rotate' },
  { kind: 'toggle', key: 'legend', label: 'scaleLegend' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
]);
