/** From rows to a graph. Nodes have the columns `node`, `kind`, `size`, `at` and perhaps `name` and `total`; links have
 * `source`, `target`, `size`, `at` and `total`. Columns beyond these are facts of the node. Sizes stay exact text. */
import type { ResultGraph, ResultPage } from '@/api/jobs';
import { fullText, type Cell, type Column } from '@/lib/columns';
import { MOST_LINKS, MOST_NODES } from './model';

export interface GraphNode {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** A decimal number of any length. */
  readonly size: string;
  /** Milliseconds since 1970; null for what has no time. */
  readonly at: number | null;
  readonly facts: readonly { readonly column: Column; readonly value: Cell }[];
}

export interface GraphLink {
  /** Places in `nodes`. */
  readonly source: number;
  readonly target: number;
  readonly size: string;
  readonly at: number | null;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
  /** How many there are beyond those shown. */
  readonly nodesLeftOut: number;
  readonly linksLeftOut: number;
}

const known = new Set(['node', 'kind', 'name', 'size', 'at', 'total']);

/** A time of the server (`YYYY-MM-DD HH:mm:ss` UTC) in milliseconds. */
export function readTime(value: Cell | undefined): number | null {
  if (typeof value !== 'string') return null;
  const ms = Date.parse(`${value.replace(' ', 'T')}${value.length > 10 ? 'Z' : 'T00:00:00Z'}`);
  return Number.isNaN(ms) ? null : ms;
}

type Read = (row: readonly Cell[], name: string) => Cell | undefined;

function reader({ columns }: ResultPage): Read {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  return (row, name) => {
    const place = places.get(name);
    return place === undefined ? undefined : row[place];
  };
}

const text = (value: Cell | undefined): string => (value === undefined ? '' : fullText(value));

/** How many rows there would be without the limit, as each row tells. */
function total(page: ResultPage, read: Read): number {
  const [first] = page.rows;
  const told = first === undefined ? 0 : Number(text(read(first, 'total')) || page.total);
  return Math.max(told, page.rows.length);
}

function readNodes(page: ResultPage): GraphNode[] {
  const read = reader(page);
  return page.rows.slice(0, MOST_NODES).map((row) => ({
    id: text(read(row, 'node')),
    kind: text(read(row, 'kind')),
    name: text(read(row, 'name')),
    size: text(read(row, 'size')) || '0',
    at: readTime(read(row, 'at')),
    facts: page.columns.flatMap((column, index) => (known.has(column.name) ? [] : [{ column, value: row[index] ?? null }])),
  }));
}

/** Joins each node of a kind to the next one in time. */
function chains(nodes: readonly GraphNode[]): GraphLink[] {
  const order = nodes.map((_, index) => index).sort((a, b) => (nodes[a]?.at ?? 0) - (nodes[b]?.at ?? 0));
  const last = new Map<string, number>();
  const links: GraphLink[] = [];
  for (const target of order) {
    const node = nodes[target];
    if (!node) continue;
    const source = last.get(node.kind);
    if (source !== undefined) links.push({ source, target, size: '1', at: node.at });
    last.set(node.kind, target);
  }
  return links;
}

/** The graph of the rows of both queries; without the second, links join the nodes of a kind. */
export function graphOf(nodePage: ResultPage, linkPage: ResultPage | null): Graph {
  const nodes = readNodes(nodePage);
  const nodesLeftOut = total(nodePage, reader(nodePage)) - nodes.length;
  if (linkPage === null) return { nodes, links: chains(nodes), nodesLeftOut, linksLeftOut: 0 };
  const places = new Map(nodes.map(({ id }, index) => [id, index]));
  const read = reader(linkPage);
  const links: GraphLink[] = [];
  for (const row of linkPage.rows) {
    const source = places.get(text(read(row, 'source')));
    const target = places.get(text(read(row, 'target')));
    if (source === undefined || target === undefined || links.length === MOST_LINKS) continue;
    links.push({ source, target, size: text(read(row, 'size')) || '0', at: readTime(read(row, 'at')) });
  }
  return { nodes, links, nodesLeftOut, linksLeftOut: total(linkPage, read) - links.length };
}

const label = (labels: readonly string[]): string => (labels.includes('Token') ? 'token' : labels.includes('Contract') ? 'contract' : 'account');

/** The nodes and edges of a query of the address graph. */
export function graphOfResult(result: ResultGraph): Graph {
  const degree = new Map<string, number>();
  for (const { source, target } of result.edges) {
    degree.set(source, (degree.get(source) ?? 0) + 1);
    degree.set(target, (degree.get(target) ?? 0) + 1);
  }
  const property = (value: unknown): Cell => (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null);
  const nodes = result.nodes.slice(0, MOST_NODES).map(({ id, labels, properties }) => {
    const { address, name, firstSeen, ...facts } = properties;
    return {
      id: typeof address === 'string' ? address : id,
      kind: label(labels),
      name: typeof name === 'string' ? name : '',
      size: String(degree.get(id) ?? 0),
      at: readTime(property(firstSeen)),
      facts: Object.entries(facts).map(([key, value]) => ({ column: { name: key, type: typeof value === 'number' ? 'bigint' : 'varchar' }, value: property(value) })),
    };
  });
  const places = new Map(result.nodes.slice(0, MOST_NODES).map(({ id }, index) => [id, index]));
  const links: GraphLink[] = [];
  for (const { source, target, properties } of result.edges.slice(0, MOST_LINKS)) {
    const from = places.get(source);
    const to = places.get(target);
    if (from === undefined || to === undefined) continue;
    links.push({ source: from, target: to, size: text(property(properties['value'])) || '0', at: readTime(property(properties['time'] ?? properties['first'])) });
  }
  return { nodes, links, nodesLeftOut: result.nodesTotal - nodes.length, linksLeftOut: result.edgesTotal - links.length };
}

/** The connected part of each node, 0 for the largest; -1 for nodes without a link. */
export function clustersOf(graph: Graph): Int32Array {
  const parent = graph.nodes.map((_, index) => index);
  const root = (at: number): number => {
    let end = at;
    while ((parent[end] ?? end) !== end) {
      // Halves the way for whoever comes next.
      parent[end] = parent[parent[end] ?? end] ?? end;
      end = parent[end] ?? end;
    }
    return end;
  };
  const linked = new Set<number>();
  for (const { source, target } of graph.links) {
    linked.add(source).add(target);
    parent[root(source)] = root(target);
  }
  const sizes = new Map<number, number>();
  for (const index of linked) sizes.set(root(index), (sizes.get(root(index)) ?? 0) + 1);
  const ranks = new Map([...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([at], rank) => [at, rank]));
  return Int32Array.from(graph.nodes, (_, index) => (linked.has(index) ? (ranks.get(root(index)) ?? -1) : -1));
}
