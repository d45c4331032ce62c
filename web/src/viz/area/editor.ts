/** The area chart's fields in the builder. */
import { cartesianFields, LOG } from '../cartesian-fields';
import { editorOf, type Field } from '../fields';
import type { SeriesModel } from '../series';
import type { AreaOptions } from './options';

type Own = Field<AreaOptions, SeriesModel>;

const looks: Own[] = [
  { kind: 'choice', key: 'stack', label: 'stack', values: { none: 'overlaid', stack: 'stacked', percent: 'percent' } },
  { kind: 'number', key: 'opacity', label: 'opacity', min: 10, max: 100 },
  { kind: 'toggle', key: 'smooth', label: 'smooth' },
  { ...(LOG as unknown as Own), when: (options) => options.stack === 'none' },
];

export const Editor = editorOf<AreaOptions, SeriesModel>(cartesianFields<AreaOptions>({ looks, right: ({ stack }) => stack !== 'percent' }));
