/** Rows to nodes and edges. */
import { addExact, compareExact, ZERO, type Exact } from '@/lib/exact';
import { largestLinks, LinkSum, type Link } from '../links';
import { Drawing, exactText, readNumber } from '../numbers';
import { nameOf, resolve } from '../read';
import { fail, ok, type Note, type Outcome, type ResultTable } from '../types';
import { findObjects } from './objects';
import type { GraphOptions } from './options';

export interface GraphNode {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly degree: number;
  /** Sum of the values of its edges. */
  readonly weight: Exact;
  /** Place between the smallest and the largest node, 0 to 1. */
  readonly size: number;
}

export interface GraphEdge extends Link {
  readonly type: string;
  /** Place between the thinnest and the thickest edge, 0 to 1. */
  readonly width: number;
}

export interface GraphModel {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly categories: readonly string[];
  /** How the nodes find their places: forces say nothing of many that nothing links. */
  readonly arrange: GraphOptions['arrange'];
  readonly notes: readonly Note[];
}

export const MOST_EDGES = 5_000;
const MOST_CATEGORIES = 9;

/** Nodes that push each other, each every other one: more would stop the page, or stand about where they began. */
const MOST_PUSHED = 300;

/** How many of the largest links have at most so many ends. */
function linksOf(links: readonly Link[], nodes: number): number {
  const ends = new Set<string>();
  const ranked = [...links].sort((a, b) => compareExact(b.value, a.value));
  const first = ranked.findIndex(({ source, target }) => ends.add(source).add(target).size > nodes);
  return first < 0 ? links.length : first;
}

interface Parts {
  readonly links: readonly (Link & { readonly type: string })[];
  readonly named: ReadonlyMap<string, { readonly name: string; readonly category: string }>;
}

export function transform(table: ResultTable, options: GraphOptions): Outcome<GraphModel> {
  const parts = options.layout === 'objects' ? ok(fromObjects(table)) : fromRows(table, options);
  if (!parts.ok) return parts;
  const { links, named } = parts.model;
  if (links.length === 0 && named.size === 0) return fail(options.layout === 'objects' && table.rows.length > 0 ? 'noObjects' : table.rows.length === 0 ? 'noRows' : 'noLinks');
  const most = options.arrange === 'force' ? linksOf(links, MOST_PUSHED) : MOST_EDGES;
  const { kept, left, rest } = largestLinks(links, Math.min(options.limit, MOST_EDGES, most));
  const arrange = options.arrange === 'force' && kept.length === 0 && named.size > MOST_PUSHED ? 'none' : options.arrange;
  const drawing = new Drawing();
  const apart = options.layout === 'objects' ? unlinked(parts.model) : [];
  const room = arrange === 'force' ? MOST_PUSHED : MOST_EDGES;
  const nodes = nodesOf(kept, apart, room, named, options, drawing);
  const cut: Note[] = left > 0 ? [{ code: 'linksCut', values: { drawn: kept.length, left, rest: exactText(rest, options) } }] : [];
  const all = new Set(kept.flatMap(({ source, target }) => [source, target])).size + apart.length;
  if (all > nodes.length) cut.push({ code: 'nodesCut', values: { drawn: nodes.length, left: all - nodes.length } });
  const points = kept.map((link) => drawing.number(link.value));
  const high = points.reduce((a, b) => Math.max(a, b), 0);
  const edges = kept.map((link, at) => ({ ...link, type: (link as { type?: string }).type ?? '', width: high > 0 ? Math.sqrt(Math.max(0, points[at] ?? 0) / high) : 0 }));
  const byCount = new Map<string, number>();
  for (const { category } of nodes) if (category !== '') byCount.set(category, (byCount.get(category) ?? 0) + 1);
  const categories = [...byCount].sort((a, b) => b[1] - a[1]).slice(0, MOST_CATEGORIES).map(([name]) => name);
  return ok({ nodes, edges, categories, arrange, notes: cut });
}

function fromRows(table: ResultTable, options: GraphOptions): Outcome<Parts> {
  const columns = resolve(table, {
    source: { column: options.source, part: 'source' },
    target: { column: options.target, part: 'target' },
    weight: { column: options.weight, part: 'weight', numeric: true, optional: true },
    category: { column: options.category, part: 'category', optional: true },
  });
  if (!columns.ok) return columns;
  const { source, target, weight, category } = columns.model;
  const sum = new LinkSum();
  const named = new Map<string, { name: string; category: string }>();
  for (const row of table.rows) {
    const [from, to] = [row[source] ?? null, row[target] ?? null];
    if (from === null || to === null) continue;
    const value = weight < 0 ? { digits: 1n, scale: 0 } : (readNumber(row[weight], options.format) ?? ZERO);
    if (value.digits < 0n) return fail('negativeLink', { source: nameOf(from), target: nameOf(to) });
    sum.add(nameOf(from), nameOf(to), value);
    if (category >= 0 && !named.has(nameOf(from))) named.set(nameOf(from), { name: nameOf(from), category: nameOf(row[category]) });
  }
  return ok({ links: sum.links().map((link) => ({ ...link, type: '' })), named });
}

function fromObjects(table: ResultTable): Parts {
  const { nodes, edges } = findObjects(table);
  const count = new Map<string, Link & { type: string }>();
  for (const { source, target, type } of edges) {
    const key = JSON.stringify([source, target, type]);
    const before = count.get(key);
    count.set(key, { source, target, type, value: { digits: (before?.value.digits ?? 0n) + 1n, scale: 0 } });
  }
  return { links: [...count.values()], named: nodes };
}

/** What the result names and links to nothing. */
function unlinked({ links, named }: Parts): string[] {
  const linked = new Set(links.flatMap(({ source, target }) => [source, target]));
  return [...named.keys()].filter((id) => !linked.has(id));
}

/** The ends of the links, and of those `apart` as many as there is room for. */
function nodesOf(links: readonly Link[], apart: readonly string[], room: number, named: Parts['named'], options: GraphOptions, drawing: Drawing): GraphNode[] {
  const found = new Map<string, { degree: number; weight: Exact }>();
  for (const { source, target, value } of links) {
    for (const id of source === target ? [source] : [source, target]) {
      const known = found.get(id) ?? { degree: 0, weight: ZERO };
      found.set(id, { degree: known.degree + 1, weight: addExact(known.weight, value) });
    }
  }
  for (const id of apart.slice(0, Math.max(0, room - found.size))) found.set(id, { degree: 0, weight: ZERO });
  const entries = [...found].sort((a, b) => b[1].degree - a[1].degree || compareExact(b[1].weight, a[1].weight));
  const measure = ({ degree, weight }: { degree: number; weight: Exact }) => (options.sizeBy === 'degree' ? degree : options.sizeBy === 'weight' ? drawing.number(weight) : 1);
  const high = entries.reduce((most, [, one]) => Math.max(most, measure(one)), 0);
  return entries.map(([id, one]) => ({ id, name: named.get(id)?.name ?? id, category: named.get(id)?.category ?? '', ...one, size: high > 0 ? Math.sqrt(Math.max(0, measure(one)) / high) : 0 }));
}
