/** The radar chart's fields in the builder. */
import { editorOf } from '../fields';
import type { RadarOptions } from './options';
import type { RadarModel } from './transform';

export const Editor = editorOf<RadarOptions, RadarModel>([
  { kind: 'choice', key: 'layout', label: 'layout', values: { wide: 'columnsAreIndicators', long: 'rowsAreIndicators' } },
  { kind: 'column', key: 'name', label: 'name', optional: 'eachRow' },
  { kind: 'columns', key: 'indicators', label: 'indicators', numeric: true, when: (options) => options.layout === 'wide' },
  { kind: 'column', key: 'indicator', label: 'indicator', when: (options) => options.layout === 'long' },
  { kind: 'column', key: 'value', label: 'value', numeric: true, when: (options) => options.layout === 'long' },
  { kind: 'choice', key: 'combine', label: 'combine', values: { refuse: 'refuse', sum: 'sum', min: 'smallest', max: 'largest' } },
  { kind: 'top', key: 'limit', label: 'shapeLimit', values: [3, 6, 10, 20], rest: 'leftOut' },
  { kind: 'section', label: 'look' },
  { kind: 'choice', key: 'scale', label: 'scale', values: { each: 'scaleEach', shared: 'scaleShared' } },
  { kind: 'choice', key: 'outline', label: 'shape', values: { polygon: 'polygon', circle: 'circle' } },
  { kind: 'toggle', key: 'filled', label: 'filled' },
  { kind: 'toggle', key: 'legend', label: 'legend' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
  { kind: 'series', names: (model) => model.shapes.map((shape) => shape.name) },
]);
