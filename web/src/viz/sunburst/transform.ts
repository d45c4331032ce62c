/** Rows to rings of parts. */
import { compareExact, groupExact, sumExact, type Exact } from '@/lib/exact';
import { buildForest, totalOf, type TreeNode } from '../hierarchy';
import { Drawing } from '../numbers';
import { fail, ok, type Failure, type Note, type Outcome, type ResultTable } from '../types';
import type { SunburstOptions } from './options';

export interface Arc {
  readonly name: string;
  readonly value: Exact;
  readonly point: number;
  readonly children: readonly Arc[];
}

export interface SunburstModel {
  readonly arcs: readonly Arc[];
  readonly total: Exact;
  readonly levels: number;
  readonly notes: readonly Note[];
}

export function transform(table: ResultTable, options: SunburstOptions): Outcome<SunburstModel> {
  const built = buildForest(table, options, true);
  if (!built.ok) return built;
  const { roots, orphans } = built.model;
  const counted = options.value === '';
  const smaller = counted ? null : smallerParent(roots);
  if (smaller) return smaller;
  const drawing = new Drawing();
  const arc = (node: TreeNode, level: number): Arc => {
    const value = counted && options.layout === 'ids' ? leavesOf(node) : totalOf(node);
    const children = options.depth === 0 || level < options.depth ? node.children.map((child) => arc(child, level + 1)) : [];
    if (options.sort === 'falling') children.sort((a, b) => compareExact(b.value, a.value));
    return { name: node.name, value, point: drawing.number(value), children: children.filter((child) => child.value.digits !== 0n) };
  };
  const arcs = roots.map((root) => arc(root, 1)).filter((one) => one.value.digits !== 0n);
  if (options.sort === 'falling') arcs.sort((a, b) => compareExact(b.value, a.value));
  if (arcs.length === 0) return fail('allZero');
  const notes: Note[] = orphans > 0 ? [{ code: 'orphans', values: { count: orphans } }] : [];
  const height = (one: Arc): number => 1 + Math.max(0, ...one.children.map(height));
  return ok({ arcs, total: sumExact(arcs.map((one) => one.value)), levels: Math.max(...arcs.map(height)), notes: [...drawing.notes(), ...notes] });
}

function leavesOf(node: TreeNode): Exact {
  return node.children.length === 0 ? { digits: 1n, scale: 0 } : sumExact(node.children.map(leavesOf));
}

/** A parent can't be smaller than its parts together. */
function smallerParent(nodes: readonly TreeNode[]): Failure | null {
  for (const node of nodes) {
    const below = sumExact(node.children.map(totalOf));
    if (node.own && node.children.length > 0 && compareExact(node.own, below) < 0) return fail('parentSmaller', { name: node.name, own: groupExact(node.own), sum: groupExact(below) });
    const found = smallerParent(node.children);
    if (found) return found;
  }
  return null;
}
