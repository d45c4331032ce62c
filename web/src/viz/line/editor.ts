/** The line chart's fields in the builder. */
import { cartesianFields, LOG } from '../cartesian-fields';
import { editorOf, type Field } from '../fields';
import type { SeriesModel } from '../series';
import type { LineOptions } from './options';

type Own = Field<LineOptions, SeriesModel>;

const looks: Own[] = [
  { kind: 'choice', key: 'step', label: 'step', values: { none: 'straight', start: 'stepStart', middle: 'stepMiddle', end: 'stepEnd' } },
  { kind: 'toggle', key: 'smooth', label: 'smooth', when: (options) => options.step === 'none' },
  { kind: 'toggle', key: 'points', label: 'points' },
  LOG,
];

export const Editor = editorOf<LineOptions, SeriesModel>(cartesianFields<LineOptions>({ looks }));
