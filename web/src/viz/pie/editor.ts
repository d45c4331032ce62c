/** The pie chart's fields in the builder. */
import { editorOf } from '../fields';
import type { PieOptions } from './options';
import type { PieModel } from './transform';

export const Editor = editorOf<PieOptions, PieModel>([
  { kind: 'column', key: 'category', label: 'category' },
  { kind: 'column', key: 'value', label: 'value', numeric: true },
  { kind: 'choice', key: 'combine', label: 'combine', values: { refuse: 'refuse', sum: 'sum', min: 'smallest', max: 'largest' } },
  { kind: 'choice', key: 'sort', label: 'sort', values: { falling: 'falling', rising: 'rising', name: 'byName', none: 'resultOrder' } },
  { kind: 'top', key: 'top', label: 'sliceLimit', values: [5, 7, 9, 20, 50, 0] },
  { kind: 'number', key: 'minShare', label: 'minShare', min: 0, max: 50 },
  { kind: 'section', label: 'look' },
  { kind: 'choice', key: 'shape', label: 'shape', values: { donut: 'donut', pie: 'pie', rose: 'rose' } },
  { kind: 'choice', key: 'label', label: 'label', values: { percent: 'percent', value: 'value', name: 'name', none: 'none' } },
  { kind: 'toggle', key: 'legend', label: 'legend' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
  { kind: 'series', names: (model) => model.slices.map((slice) => slice.name) },
]);
