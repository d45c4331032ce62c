/** What a tree can be told, and what it takes by itself. */
import { hierarchyColumns, type HierarchyOptions } from '../hierarchy';
import type { ResultTable } from '../types';

export interface TreeOptions extends HierarchyOptions {
  orient: 'right' | 'left' | 'down' | 'up';
  radial: boolean;
  /** Levels that are open at first; 0 opens them all. */
  depth: number;
  /** Several roots, and nodes whose parent is not in the result, hang below one root that is made for them. */
  joinRoots: boolean;
  curved: boolean;
}

export function defaults(table: ResultTable): TreeOptions {
  const columns = hierarchyColumns(table);
  return { ...columns, orient: 'right', radial: false, depth: 3, joinRoots: columns.layout === 'path', curved: true };
}
