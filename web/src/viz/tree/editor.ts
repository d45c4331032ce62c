/** The tree's fields in the builder. */
import { editorOf } from '../fields';
import { hierarchyFields } from '../hierarchy-fields';
import type { TreeOptions } from './options';
import type { TreeModel } from './transform';

export const Editor = editorOf<TreeOptions, TreeModel>(
  hierarchyFields<TreeOptions, TreeModel>([
    { kind: 'toggle', key: 'joinRoots', label: 'joinRoots' },
    { kind: 'choice', key: 'orient', label: 'orient', values: { right: 'toRight', left: 'toLeft', down: 'downwards', up: 'upwards' }, when: (options) => !options.radial },
    { kind: 'number', key: 'depth', label: 'depth', min: 0, max: 12 },
    { kind: 'toggle', key: 'radial', label: 'radial' },
    { kind: 'toggle', key: 'curved', label: 'curved', when: (options) => !options.radial },
  ]),
);
