/** The heatmap's fields in the builder. */
import { editorOf } from '../fields';
import type { MatrixModel } from '../matrix';
import type { HeatmapOptions } from './options';

export const Editor = editorOf<HeatmapOptions, MatrixModel>([
  { kind: 'choice', key: 'layout', label: 'layout', values: { grid: 'grid', calendar: 'calendar' } },
  { kind: 'column', key: 'x', label: 'x' },
  { kind: 'column', key: 'y', label: 'y', when: (options) => options.layout === 'grid' },
  { kind: 'column', key: 'value', label: 'value', numeric: true },
  { kind: 'choice', key: 'combine', label: 'combine', values: { refuse: 'refuse', sum: 'sum', min: 'smallest', max: 'largest' } },
  { kind: 'section', label: 'look' },
  { kind: 'choice', key: 'palette', label: 'palette', values: { sequential: 'sequential', diverging: 'diverging' } },
  { kind: 'text', key: 'min', label: 'min' },
  { kind: 'text', key: 'max', label: 'max' },
  { kind: 'toggle', key: 'steps', label: 'steps' },
  { kind: 'toggle', key: 'labels', label: 'labels' },
  { kind: 'toggle', key: 'legend', label: 'scaleLegend' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
]);
