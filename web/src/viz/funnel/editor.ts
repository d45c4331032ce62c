/** The funnel's fields in the builder. */
import { editorOf } from '../fields';
import type { FunnelOptions } from './options';
import type { FunnelModel } from './transform';

export const Editor = editorOf<FunnelOptions, FunnelModel>([
  { kind: 'column', key: 'step', label: 'step' },
  { kind: 'column', key: 'value', label: 'value', numeric: true },
  { kind: 'choice', key: 'combine', label: 'combine', values: { refuse: 'refuse', sum: 'sum', min: 'smallest', max: 'largest' } },
  { kind: 'choice', key: 'sort', label: 'sort', values: { falling: 'falling', rising: 'rising', name: 'byName', none: 'resultOrder' } },
  { kind: 'choice', key: 'percent', label: 'percentOf', values: { first: 'ofFirst', previous: 'ofPrevious', none: 'none' } },
  { kind: 'number', key: 'limit', label: 'stepLimit', min: 2, max: 30 },
  { kind: 'section', label: 'look' },
  { kind: 'choice', key: 'orient', label: 'orient', values: { vertical: 'vertical', horizontal: 'horizontal' } },
  { kind: 'choice', key: 'align', label: 'align', values: { center: 'center', left: 'left', right: 'right' }, when: (options) => options.orient === 'vertical' },
  { kind: 'number', key: 'gap', label: 'gap', min: 0, max: 20 },
  { kind: 'toggle', key: 'legend', label: 'legend' },
  { kind: 'section', label: 'numbers' },
  { kind: 'dress' },
  { kind: 'series', names: (model) => model.steps.map((step) => step.name) },
]);
