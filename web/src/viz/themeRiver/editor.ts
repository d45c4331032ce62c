/** The theme river's fields in the builder. */
import { editorOf } from '../fields';
import type { SeriesModel } from '../series';
import type { ThemeRiverOptions } from './options';

export const Editor = editorOf<ThemeRiverOptions, SeriesModel>([
  { kind: 'column', key: 'time', label: 'time' },
  { kind: 'column', key: 'name', label: 'name' },
  { kind: 'column', key: 'value', label: 'value', numeric: true },
  { kind: 'choice', key: 'combine', label: 'combine', values: { refuse: 'refuse', sum: 'sum', min: 'smallest', max: 'largest' } },
  { kind: 'top', key: 'limit', label: 'seriesLimit', values: [5, 8, 10, 20] },
  { kind: 'section', label: 'look' },
  { kind: 'toggle', key: 'labels', label: 'names' },
  { kind: 'toggle', key: 'legend', label: 'legend' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
  { kind: 'series', names: (model) => model.series.map((series) => series.name) },
]);
