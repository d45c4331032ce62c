/** The box plot's fields in the builder. */
import { editorOf } from '../fields';
import type { BoxplotOptions } from './options';
import type { BoxplotModel } from './transform';

const raw = (options: BoxplotOptions) => options.layout === 'raw';
const five = (options: BoxplotOptions) => options.layout === 'five';

export const Editor = editorOf<BoxplotOptions, BoxplotModel>([
  { kind: 'choice', key: 'layout', label: 'layout', values: { raw: 'rawValues', five: 'fiveNumbers' } },
  { kind: 'column', key: 'category', label: 'category', optional: 'noGroup' },
  { kind: 'column', key: 'value', label: 'value', numeric: true, when: raw },
  { kind: 'column', key: 'lowest', label: 'lowest', numeric: true, when: five },
  { kind: 'column', key: 'lowerQuartile', label: 'lowerQuartile', numeric: true, when: five },
  { kind: 'column', key: 'median', label: 'median', numeric: true, when: five },
  { kind: 'column', key: 'upperQuartile', label: 'upperQuartile', numeric: true, when: five },
  { kind: 'column', key: 'highest', label: 'highest', numeric: true, when: five },
  { kind: 'section', label: 'look' },
  { kind: 'choice', key: 'whiskers', label: 'whiskers', values: { iqr: 'whiskersIqr', minMax: 'whiskersEnds' }, when: raw },
  { kind: 'toggle', key: 'outliers', label: 'outliers', when: (options) => raw(options) && options.whiskers === 'iqr' },
  { kind: 'toggle', key: 'horizontal', label: 'horizontal' },
  { kind: 'toggle', key: 'log', label: 'log' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
]);
