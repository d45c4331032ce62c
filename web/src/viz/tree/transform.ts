/** Rows to one tree. */
import type { Exact } from '@/lib/exact';
import { buildForest, totalOf, type TreeNode } from '../hierarchy';
import { cut } from '../tooltip';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import type { TreeOptions } from './options';

export interface Branch {
  /** Empty for a root that was made to join others. */
  readonly name: string;
  readonly value: Exact | null;
  readonly children: readonly Branch[];
}

export interface TreeModel {
  readonly root: Branch;
  readonly count: number;
  /** Nodes on the fullest level, and levels. */
  readonly breadth: number;
  readonly height: number;
  readonly notes: readonly Note[];
}

export function transform(table: ResultTable, options: TreeOptions): Outcome<TreeModel> {
  const built = buildForest(table, options, options.joinRoots);
  if (!built.ok) return built;
  const { roots, count, orphans } = built.model;
  if (roots.length > 1 && !options.joinRoots) return fail('severalRoots', { roots: roots.length, names: roots.slice(0, 3).map((root) => cut(root.name)).join(', ') });
  const [first] = roots;
  if (!first) return fail('noRoot');
  const valued = options.value !== '';
  const branch = (node: TreeNode): Branch => ({ name: node.name, value: valued ? totalOf(node) : node.own, children: node.children.map(branch) });
  const root: Branch = roots.length === 1 ? branch(first) : { name: '', value: null, children: roots.map(branch) };
  const levels = levelsOf(root);
  const notes: Note[] = orphans > 0 ? [{ code: 'orphans', values: { count: orphans } }] : [];
  return ok({ root, count, breadth: Math.max(...levels), height: levels.length, notes });
}

function levelsOf(root: Branch): number[] {
  const levels: number[] = [];
  let level: readonly Branch[] = [root];
  while (level.length > 0) {
    levels.push(level.length);
    level = level.flatMap((node) => node.children);
  }
  return levels;
}
