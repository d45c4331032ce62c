/** The fields of parallel coordinates in the builder. */
import { editorOf } from '../fields';
import type { ParallelOptions } from './options';
import type { ParallelModel } from './transform';

export const Editor = editorOf<ParallelOptions, ParallelModel>([
  { kind: 'columns', key: 'dimensions', label: 'dimensions' },
  { kind: 'column', key: 'group', label: 'group', optional: 'noGroup' },
  { kind: 'section', label: 'look' },
  { kind: 'columns', key: 'inverted', label: 'inverted' },
  { kind: 'columns', key: 'logarithmic', label: 'logarithmic', numeric: true },
  { kind: 'number', key: 'opacity', label: 'opacity', min: 2, max: 100 },
  { kind: 'toggle', key: 'smooth', label: 'smooth' },
  { kind: 'toggle', key: 'legend', label: 'legend' },
  { kind: 'series', names: (model) => model.bundles.map((bundle) => bundle.name) },
]);
