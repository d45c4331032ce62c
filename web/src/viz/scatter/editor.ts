/** The scatter chart's fields in the builder. */
import { editorOf } from '../fields';
import type { ScatterOptions } from './options';
import type { ScatterModel } from './transform';

export const Editor = editorOf<ScatterOptions, ScatterModel>([
  { kind: 'column', key: 'x', label: 'x' },
  { kind: 'column', key: 'y', label: 'y', numeric: true },
  { kind: 'column', key: 'size', label: 'size', numeric: true, optional: 'sameSize' },
  { kind: 'column', key: 'group', label: 'group', optional: 'noGroup' },
  { kind: 'column', key: 'name', label: 'name', optional: 'none' },
  { kind: 'section', label: 'look' },
  { kind: 'number', key: 'smallest', label: 'smallest', min: 2, max: 40 },
  { kind: 'number', key: 'largest', label: 'largest', min: 4, max: 80, when: (options) => options.size !== '' },
  { kind: 'number', key: 'opacity', label: 'opacity', min: 10, max: 100 },
  { kind: 'toggle', key: 'xLog', label: 'xLog' },
  { kind: 'toggle', key: 'yLog', label: 'yLog' },
  { kind: 'toggle', key: 'regression', label: 'regression', when: (options) => !options.xLog && !options.yLog },
  { kind: 'toggle', key: 'legend', label: 'legend' },
  { kind: 'section', label: 'numbers' },
  { kind: 'choice', key: 'xFormat', label: 'xFormat', values: { grouped: 'asIs', plain: 'plain', compact: 'compact', percent: 'percent', wei: 'wei', gwei: 'gwei', eth: 'eth' } },
  { kind: 'dress' },
  { kind: 'series', names: (model) => model.clouds.map((cloud) => cloud.name).filter((name) => !name.startsWith('\u0000')) },
]);
