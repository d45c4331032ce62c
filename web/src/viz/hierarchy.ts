/** Rows as a tree: by path columns, or by ids that name their parents. */
import { addExact, compareExact, sumExact, type Exact } from '@/lib/exact';
import { numericColumns, rolesOf } from './mapping';
import { readNumber, type NumberDress } from './numbers';
import { nameOf, resolve, resolveLevels } from './read';
import { cut } from './tooltip';
import { fail, ok, type Outcome, type ResultTable } from './types';

export interface HierarchyOptions extends NumberDress {
  /** `path`: columns from the top down. `ids`: each row names its parent. */
  layout: 'path' | 'ids';
  path: string[];
  id: string;
  parent: string;
  /** Column with the name to show; empty shows the id. */
  name: string;
  /** Number of a node; empty counts the leaves. */
  value: string;
}

export interface TreeNode {
  readonly name: string;
  /** The number of the node's own row. */
  own: Exact | null;
  readonly children: TreeNode[];
}

const ID = /^(id|node|child|address|hash)$/i;
const PARENT = /(^|_)parent(_|$)/i;
export const MOST_NODES = 10_000;

/** Ids by their names; else the first categories as a path. */
export function hierarchyColumns(table: ResultTable): HierarchyOptions {
  const roles = rolesOf(table);
  const names = table.columns.map((column) => column.name);
  const parent = names.find((name) => PARENT.test(name)) ?? '';
  const id = names.find((name) => ID.test(name)) ?? names.find((name) => /(^|_)id$/i.test(name) && name !== parent) ?? '';
  const texts = [...roles.category, ...roles.address, ...roles.time, ...roles.hash];
  const path = (roles.category.length > 0 ? roles.category : texts).slice(0, 5);
  const value = numericColumns(table).find((name) => name !== id && name !== parent && !path.includes(name)) ?? '';
  const name = names.find((one) => /^(name|label|title)$/i.test(one)) ?? '';
  return { format: 'grouped', decimals: -1, unit: '', layout: parent !== '' && id !== '' ? 'ids' : 'path', path, id, parent, name, value };
}

export interface Forest {
  readonly roots: TreeNode[];
  readonly count: number;
  /** Nodes whose parent the result does not hold. */
  readonly orphans: number;
}

/** The roots with all that hangs below them; `adopt` takes nodes with an unknown parent for roots. */
export function buildForest(table: ResultTable, options: HierarchyOptions, adopt: boolean): Outcome<Forest> {
  return options.layout === 'ids' ? byIds(table, options, adopt) : byPath(table, options);
}

function byPath(table: ResultTable, options: HierarchyOptions): Outcome<Forest> {
  if (table.rows.length > 0 && options.path.length === 0) return { ok: false, problem: { code: 'columnUnset', part: 'path' } };
  const path = resolveLevels(table, options.path, 'path');
  if (!path.ok) return path;
  const value = resolve(table, { value: { column: options.value, part: 'value', numeric: true, optional: true } });
  if (!value.ok) return value;
  const top: TreeNode = { name: '', own: null, children: [] };
  const index = new Map<TreeNode, Map<string, TreeNode>>();
  let count = 0;
  for (const row of table.rows) {
    let node = top;
    for (const place of path.model) {
      const cell = row[place] ?? null;
      // A path may end early: what follows is empty.
      if (cell === null) break;
      const name = nameOf(cell);
      const known = index.get(node) ?? new Map<string, TreeNode>();
      index.set(node, known);
      let next = known.get(name);
      if (!next) {
        next = { name, own: null, children: [] };
        known.set(name, next);
        node.children.push(next);
        count += 1;
      }
      node = next;
    }
    if (node === top) continue;
    const exact = value.model.value < 0 ? { digits: 1n, scale: 0 } : readNumber(row[value.model.value], options.format);
    if (!exact) continue;
    if (exact.digits < 0n) return fail('negative', { name: node.name });
    node.own = node.own ? addExact(node.own, exact) : exact;
  }
  if (count > MOST_NODES) return fail('tooManyNodes', { nodes: count, most: MOST_NODES });
  return ok({ roots: top.children, count, orphans: 0 });
}

function byIds(table: ResultTable, options: HierarchyOptions, adopt: boolean): Outcome<Forest> {
  const columns = resolve(table, {
    id: { column: options.id, part: 'id' },
    parent: { column: options.parent, part: 'parent' },
    name: { column: options.name, part: 'name', optional: true },
    value: { column: options.value, part: 'value', numeric: true, optional: true },
  });
  if (!columns.ok) return columns;
  const { id, parent, name, value } = columns.model;
  if (table.rows.length > MOST_NODES) return fail('tooManyNodes', { nodes: table.rows.length, most: MOST_NODES });
  const nodes = new Map<string, { node: TreeNode; parent: string | null }>();
  for (const row of table.rows) {
    const key = nameOf(row[id]);
    if (nodes.has(key)) return fail('duplicateName', { name: key });
    const own = value < 0 ? null : readNumber(row[value], options.format);
    if (own && own.digits < 0n) return fail('negative', { name: key });
    const above = row[parent] ?? null;
    nodes.set(key, { node: { name: name < 0 ? key : nameOf(row[name]), own, children: [] }, parent: above === null || above === '' ? null : nameOf(above) });
  }
  const roots: TreeNode[] = [];
  let orphans = 0;
  for (const [key, entry] of nodes) {
    const above = entry.parent === null || entry.parent === key ? null : nodes.get(entry.parent);
    if (above === undefined && !adopt) return fail('parentMissing', { id: key, parent: entry.parent ?? '' });
    if (above === undefined) orphans += 1;
    if (above) above.node.children.push(entry.node);
    else roots.push(entry.node);
  }
  const cycle = cycleOf(nodes);
  if (cycle) return fail('treeCycle', { cycle: cycle.map((key) => cut(key)).join(' → ') });
  if (roots.length === 0) return fail('noRoot');
  return ok({ roots, count: nodes.size, orphans });
}

/** The first ring of parents, its start named twice. */
function cycleOf(nodes: Map<string, { parent: string | null }>): string[] | null {
  const done = new Set<string>();
  for (const start of nodes.keys()) {
    const way: string[] = [];
    const seen = new Set<string>();
    let at: string | null = start;
    while (at !== null && nodes.has(at) && !done.has(at)) {
      if (seen.has(at)) return [...way.slice(way.indexOf(at)), at];
      seen.add(at);
      way.push(at);
      const next: string | null = nodes.get(at)?.parent ?? null;
      at = next === at ? null : next;
    }
    for (const key of way) done.add(key);
  }
  return null;
}

/** What a node and all below it add up to: its children's sum, or its own number where that is larger. */
export function totalOf(node: TreeNode): Exact {
  const below = sumExact(node.children.map(totalOf));
  if (node.children.length === 0) return node.own ?? { digits: 0n, scale: 0 };
  return node.own && compareExact(node.own, below) > 0 ? node.own : below;
}
