/** The gauge's fields in the builder. */
import { editorOf } from '../fields';
import type { GaugeOptions } from './options';
import type { GaugeModel } from './transform';

/** Good, fair and poor are told by a pointer: there is no arc to fill. */
const ranged = ({ fairFrom, poorFrom }: GaugeOptions) => fairFrom > 0 || poorFrom > 0;

export const Editor = editorOf<GaugeOptions, GaugeModel>([
  { kind: 'column', key: 'value', label: 'value', numeric: true },
  { kind: 'number', key: 'row', label: 'row', min: 1, max: 100_000 },
  { kind: 'text', key: 'min', label: 'min' },
  { kind: 'text', key: 'max', label: 'max' },
  { kind: 'text', key: 'target', label: 'targetValue' },
  { kind: 'section', label: 'look' },
  { kind: 'text', key: 'label', label: 'label' },
  { kind: 'number', key: 'fairFrom', label: 'fairFrom', min: 0, max: 100 },
  { kind: 'number', key: 'poorFrom', label: 'poorFrom', min: 0, max: 100 },
  { kind: 'number', key: 'startAngle', label: 'startAngle', min: -360, max: 360 },
  { kind: 'number', key: 'endAngle', label: 'endAngle', min: -360, max: 360 },
  { kind: 'toggle', key: 'progress', label: 'progress', when: (options) => !ranged(options) },
  { kind: 'toggle', key: 'pointer', label: 'pointer', when: (options) => !ranged(options) && options.progress },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
]);
