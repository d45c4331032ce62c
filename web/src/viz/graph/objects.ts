/** Nodes and relationships out of the cells of a graph query's result, however deep they lie in lists and paths. */
import type { ResultTable } from '../types';

export interface FoundNode {
  readonly id: string;
  readonly name: string;
  readonly category: string;
}

export interface FoundEdge {
  readonly source: string;
  readonly target: string;
  readonly type: string;
}

const record = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | null => (typeof value === 'string' || typeof value === 'number' ? String(value) : null);
const first = (from: Record<string, unknown>, keys: readonly string[]): string | null => keys.map((key) => text(from[key])).find((found) => found !== null) ?? null;

/** Labels go from the general to the particular: the last one says most. Reads `{id, labels, properties}` and `{start, end, type}` objects by the names that graph engines give them. */
export function findObjects(table: ResultTable): { nodes: Map<string, FoundNode>; edges: FoundEdge[] } {
  const nodes = new Map<string, FoundNode>();
  const edges: FoundEdge[] = [];
  const seen = new Set<string>();
  const read = (value: unknown, depth: number): void => {
    if (depth > 6) return;
    if (Array.isArray(value)) {
      for (const item of value) read(item, depth + 1);
      return;
    }
    const object = typeof value === 'string' && /^[[{]/.test(value) ? parsed(value) : value;
    if (Array.isArray(object)) { read(object, depth + 1); return; }
    if (!record(object)) return;
    const source = first(object, ['source', 'start', 'from', 'startNode', 'startNodeElementId', 'src']);
    const target = first(object, ['target', 'end', 'to', 'endNode', 'endNodeElementId', 'dst']);
    const id = first(object, ['id', 'elementId', 'address', 'hash']);
    if (source !== null && target !== null) {
      const key = id ?? `${edges.length}`;
      if (id === null || !seen.has(`edge ${key}`)) edges.push({ source, target, type: first(object, ['type', 'label']) ?? '' });
      seen.add(`edge ${key}`);
    } else if (id !== null && !nodes.has(id)) {
      const properties = record(object['properties']) ? object['properties'] : object;
      const labels = object['labels'];
      nodes.set(id, { id, name: first(properties, ['name', 'symbol', 'address', 'hash', 'title', 'id']) ?? id, category: (Array.isArray(labels) ? text(labels.at(-1)) : first(object, ['label', 'category'])) ?? '' });
    }
    for (const part of ['nodes', 'relationships', 'edges', 'links', 'segments']) if (part in object) read(object[part], depth + 1);
  };
  for (const row of table.rows) for (const cell of row) read(cell, 0);
  return { nodes, edges };
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    // A text that only looks like an object is a text.
    return null;
  }
}
