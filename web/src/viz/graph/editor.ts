/** The graph's fields in the builder. */
import { editorOf } from '../fields';
import type { GraphOptions } from './options';
import type { GraphModel } from './transform';

const links = (options: GraphOptions) => options.layout === 'links';
const force = (options: GraphOptions) => options.arrange === 'force';

export const Editor = editorOf<GraphOptions, GraphModel>([
  { kind: 'choice', key: 'layout', label: 'layout', values: { links: 'rowsAreLinks', objects: 'cellsAreObjects' } },
  { kind: 'column', key: 'source', label: 'source', when: links },
  { kind: 'column', key: 'target', label: 'target', when: links },
  { kind: 'column', key: 'weight', label: 'weight', numeric: true, optional: 'countRows', when: links },
  { kind: 'column', key: 'category', label: 'nodeKind', optional: 'none', when: links },
  { kind: 'top', key: 'limit', label: 'linkLimit', values: [100, 500, 1000, 5000], rest: 'leftOut' },
  { kind: 'section', label: 'look' },
  { kind: 'choice', key: 'arrange', label: 'arrange', values: { force: 'force', circular: 'circle', none: 'grid' } },
  { kind: 'choice', key: 'sizeBy', label: 'sizeBy', values: { degree: 'byDegree', weight: 'byWeight', same: 'sameSize' } },
  { kind: 'choice', key: 'labels', label: 'names', values: { all: 'all', large: 'largeOnes', none: 'none' } },
  { kind: 'number', key: 'repulsion', label: 'repulsion', min: 10, max: 500, when: force },
  { kind: 'number', key: 'gravity', label: 'gravity', min: 0, max: 100, when: force },
  { kind: 'number', key: 'edgeLength', label: 'edgeLength', min: 10, max: 300, when: force },
  { kind: 'toggle', key: 'arrows', label: 'arrows' },
  { kind: 'toggle', key: 'legend', label: 'legend' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
  { kind: 'series', names: (model) => model.categories },
]);
