/** The bar chart's fields in the builder. */
import { cartesianFields, LOG } from '../cartesian-fields';
import { editorOf, type Field } from '../fields';
import type { SeriesModel } from '../series';
import type { BarOptions } from './options';

type Own = Field<BarOptions, SeriesModel>;

/** Times and numbers keep their own order, and all of them. */
const named = (_: BarOptions, model: SeriesModel | undefined) => model === undefined || model.axis === 'category';

const data: Own[] = [
  { kind: 'choice', key: 'sort', label: 'sort', values: { none: 'resultOrder', falling: 'falling', rising: 'rising', name: 'byName' }, when: named },
  { kind: 'top', key: 'top', label: 'categoryLimit', values: [-1, 0, 5, 10, 20, 50], when: named },
];
const looks: Own[] = [
  { kind: 'choice', key: 'stack', label: 'stack', values: { none: 'sideBySide', stack: 'stacked', percent: 'percent' } },
  { kind: 'toggle', key: 'horizontal', label: 'horizontal' },
  { ...(LOG as unknown as Own), when: (options) => options.stack === 'none' },
];

export const Editor = editorOf<BarOptions, SeriesModel>(cartesianFields<BarOptions>({ data, looks, right: ({ horizontal, stack }) => !horizontal && stack !== 'percent' }));
