/** MAPREDUCE: JavaScript over a table and a range of days, whose rows become a table of one's own. */
import { lazyPart } from '@/ui/part';
import type { QueryKind } from '../types';
import { mapReduceLanguage } from './language';
import { asSpec, firstSpec, problemsOf, readSpec } from './spec';

export const mapreduce: QueryKind = {
  id: 'MAPREDUCE',
  title: 'MAPREDUCE',
  starter: '',
  logs: true,
  form: {
    Form: lazyPart(() => import('./form').then(({ Form: component }) => ({ default: component }))),
    first: firstSpec,
    read: readSpec,
    complete: (spec) => Object.keys(problemsOf(asSpec(spec))).length === 0,
    titleOf: (spec) => asSpec(spec).tableName ?? '',
    height: 62,
  },
  language: mapReduceLanguage,
  format: (text) => Promise.resolve(text),
  quoteName: (name) => name,
};
