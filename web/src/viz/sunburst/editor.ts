/** The sunburst's fields in the builder. */
import { editorOf } from '../fields';
import { hierarchyFields } from '../hierarchy-fields';
import type { SunburstOptions } from './options';
import type { SunburstModel } from './transform';

export const Editor = editorOf<SunburstOptions, SunburstModel>([
  ...hierarchyFields<SunburstOptions, SunburstModel>([
    { kind: 'choice', key: 'sort', label: 'sort', values: { falling: 'falling', none: 'resultOrder' } },
    { kind: 'choice', key: 'label', label: 'label', values: { radial: 'radial', tangential: 'tangential', horizontal: 'horizontal', none: 'none' } },
    { kind: 'number', key: 'depth', label: 'depth', min: 0, max: 8 },
    { kind: 'toggle', key: 'zoom', label: 'zoom' },
  ]),
  { kind: 'series', names: (model) => model.arcs.map((arc) => arc.name) },
]);
