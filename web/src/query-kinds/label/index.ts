/** LABEL: algorithms that find what addresses are, by a form; their rows are labels. */
import { lazyPart } from '@/ui/part';
import type { QueryKind } from '../types';
import { asSpec, firstSpec, readSpec } from './spec';

export const label: QueryKind = {
  id: 'LABEL',
  title: 'LABEL',
  starter: '',
  form: {
    Form: lazyPart(() => import('./form').then(({ Form: component }) => ({ default: component }))),
    first: firstSpec,
    read: readSpec,
    complete: (spec) => (asSpec(spec).label ?? '') !== '',
    titleOf: (spec) => asSpec(spec).label ?? '',
    height: 68,
  },
  language: () => ({ dialect: 'sql', keywords: [], functions: [], types: [], suggest: () => null, describe: () => null }),
  format: (text) => Promise.resolve(text),
  quoteName: (name) => name,
};
