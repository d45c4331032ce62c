/** The sankey's fields in the builder. */
import { editorOf } from '../fields';
import type { SankeyOptions } from './options';
import type { SankeyModel } from './transform';

const links = (options: SankeyOptions) => options.layout === 'links';

export const Editor = editorOf<SankeyOptions, SankeyModel>([
  { kind: 'choice', key: 'layout', label: 'layout', values: { links: 'rowsAreLinks', stages: 'rowsAreWays' } },
  { kind: 'column', key: 'source', label: 'source', when: links },
  { kind: 'column', key: 'target', label: 'target', when: links },
  { kind: 'levels', key: 'stages', label: 'stages', when: (options) => options.layout === 'stages' },
  { kind: 'column', key: 'value', label: 'value', numeric: true, optional: 'countRows' },
  { kind: 'toggle', key: 'splitEnds', label: 'splitEnds', when: links },
  { kind: 'top', key: 'limit', label: 'linkLimit', values: [20, 50, 100, 200], rest: 'leftOut' },
  { kind: 'section', label: 'look' },
  { kind: 'choice', key: 'orient', label: 'orient', values: { horizontal: 'horizontal', vertical: 'vertical' } },
  { kind: 'choice', key: 'align', label: 'align', values: { justify: 'justify', left: 'left', right: 'right' } },
  { kind: 'choice', key: 'linkColour', label: 'linkColour', values: { source: 'asSource', target: 'asTarget', gradient: 'gradient', grey: 'grey' } },
  { kind: 'number', key: 'gap', label: 'gap', min: 2, max: 40 },
  { kind: 'toggle', key: 'labels', label: 'names' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
  { kind: 'series', names: (model) => [...new Set(model.stations.map((station) => station.name))] },
]);
