/** The builder's fields that bar, line and area charts share. */
import type { CartesianOptions } from './cartesian-options';
import type { Field } from './fields';
import type { SeriesModel } from './series';

type Shared = Field<CartesianOptions, SeriesModel>;

const data: readonly Shared[] = [
  { kind: 'column', key: 'x', label: 'x' },
  { kind: 'column', key: 'group', label: 'group', optional: 'noGroup' },
  { kind: 'columns', key: 'y', label: 'y', numeric: true },
  { kind: 'choice', key: 'combine', label: 'combine', values: { refuse: 'refuse', sum: 'sum', min: 'smallest', max: 'largest' } },
  { kind: 'choice', key: 'missing', label: 'missing', values: { gap: 'gap', zero: 'zero', connect: 'connect' } },
  { kind: 'top', key: 'limit', label: 'seriesLimit', values: [5, 7, 10, 20], when: (options) => options.group !== '' },
];

const looks: readonly Shared[] = [
  { kind: 'toggle', key: 'legend', label: 'legend' },
  { kind: 'toggle', key: 'labels', label: 'labels' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
  { kind: 'text', key: 'axisTitle', label: 'axisTitle' },
];

export const LOG: Shared = { kind: 'toggle', key: 'log', label: 'log' };

interface Own<O> {
  data?: readonly Field<O, SeriesModel>[];
  looks: readonly Field<O, SeriesModel>[];
  /** Whether series can be measured on an axis at the right; they can where nothing is said. */
  right?: (options: O) => boolean;
}

/** The shared fields with a type's own ones where they belong. */
export function cartesianFields<O extends CartesianOptions>(own: Own<O>): Field<O, SeriesModel>[] {
  // A field of the shared options is one of every kind of options that has them.
  const shared = (fields: readonly Shared[]) => fields as unknown as readonly Field<O, SeriesModel>[];
  const series: Field<O, SeriesModel> = { kind: 'series', names: (model) => model.series.map(({ name }) => name), right: own.right ?? (() => true) };
  return [...shared(data), ...(own.data ?? []), { kind: 'section', label: 'look' }, ...own.looks, ...shared(looks), series, { kind: 'lines' }];
}
