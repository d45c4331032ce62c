/** The builder's fields that trees and sunbursts share. */
import type { Field } from './fields';
import type { HierarchyOptions } from './hierarchy';

export function hierarchyFields<O extends HierarchyOptions, M>(own: readonly Field<O, M>[]): Field<O, M>[] {
  const shared: readonly Field<HierarchyOptions, M>[] = [
    { kind: 'choice', key: 'layout', label: 'layout', values: { path: 'pathColumns', ids: 'idsAndParents' } },
    { kind: 'levels', key: 'path', label: 'path', when: (options) => options.layout === 'path' },
    { kind: 'column', key: 'id', label: 'id', when: (options) => options.layout === 'ids' },
    { kind: 'column', key: 'parent', label: 'parent', when: (options) => options.layout === 'ids' },
    { kind: 'column', key: 'name', label: 'name', optional: 'asId', when: (options) => options.layout === 'ids' },
    { kind: 'column', key: 'value', label: 'value', numeric: true, optional: 'countRows' },
    { kind: 'section', label: 'look' },
  ];
  return [...(shared as unknown as readonly Field<O, M>[]), ...own, { kind: 'section', label: 'numbers' }, { kind: 'dress' }];
}
