/** What a graph looks like: groups with their colours, radii, and which nodes are there at a moment. */
import { shortHex } from '@/lib/format';
import { hubsOf } from './layout/force';
import type { Mark, Placed } from './layout/place';
import type { Model } from './model';
import { clustersOf, type Graph, type GraphNode } from './rows';

export interface Group {
  /** A kind, the rank of a cluster, or the id of a hub. */
  readonly key: string;
  /** What the group is called, where its key does not say it. */
  readonly name?: string;
  readonly count: number;
  /** A custom property of the theme. */
  readonly colour: string;
}

export interface Groups {
  readonly groups: readonly Group[];
  /** The group of each node. */
  readonly of: Uint8Array;
}

/** Clusters that have a colour of their own; smaller ones share one. */
const NAMED = 7;
export const SMALLER = 'smaller';
export const ALONE = 'alone';
const grey = '--c9';
const colours = ['--c1', '--c2', '--c3', '--c10', '--c7', '--c8', '--c6', '--c4', '--c5'];

/** What of a graph is not drawn, where something is not. */
export function leftOutOf({ nodesLeftOut, linksLeftOut }: Graph): 'nodes' | 'links' | 'both' | null {
  if (nodesLeftOut > 0) return linksLeftOut > 0 ? 'both' : 'nodes';
  return linksLeftOut > 0 ? 'links' : null;
}

function counted(keys: readonly string[], order: readonly string[], colour: (key: string, place: number) => string): Groups {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const present = [...order.filter((key) => counts.has(key)), ...[...counts.keys()].filter((key) => !order.includes(key))];
  const places = new Map(present.map((key, place) => [key, place]));
  return {
    groups: present.map((key) => ({ key, count: counts.get(key) ?? 0, colour: colour(key, order.indexOf(key)) })),
    of: Uint8Array.from(keys, (key) => places.get(key) ?? 0),
  };
}

/** Nodes by the hub they hang on: the one with the most links among those they lead to, and so on. */
function byHub(graph: Graph): Groups {
  const { degree, hub } = hubsOf(graph);
  const top = (index: number): number => {
    let at = index;
    // Each step leads to more links, or to an earlier node with as many: there is an end.
    while ((hub[at] ?? at) !== at) at = hub[at] ?? at;
    return at;
  };
  const tops = graph.nodes.map((_, index) => ((degree[index] ?? 0) === 0 ? -1 : top(index)));
  const counts = new Map<number, number>();
  for (const index of tops) if (index >= 0) counts.set(index, (counts.get(index) ?? 0) + 1);
  const named = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, NAMED).map(([index]) => index);
  const keyOf = (index: number) => (index < 0 ? ALONE : named.includes(index) ? (graph.nodes[index]?.id ?? '') : SMALLER);
  const order = [...named.map(keyOf), SMALLER, ALONE];
  const groups = counted(tops.map(keyOf), order, (key, place) => (key === SMALLER || key === ALONE ? grey : (colours[place] ?? grey)));
  const names = new Map(named.map((index) => [graph.nodes[index]?.id ?? '', nameOf(graph.nodes[index])]));
  return { ...groups, groups: groups.groups.map((group) => ({ ...group, ...(names.has(group.key) ? { name: names.get(group.key) ?? '' } : {}) })) };
}

/** How a node is called in few words: long parts of an id are shortened. */
export const nameOf = (node: GraphNode | undefined): string => (node === undefined ? '' : node.name || node.id.replace(/\S{21,}/g, shortHex));

/** The names of the largest nodes, for those who look at the whole. */
export function namesOf(graph: Graph, { positions, radii }: Placed, most = 7): Mark[] {
  const order = graph.nodes.map((_, index) => index).sort((a, b) => (radii[b] ?? 0) - (radii[a] ?? 0) || a - b);
  const usual = radii[order[Math.floor(order.length / 2)] ?? 0] ?? 0;
  return order
    .slice(0, most)
    .filter((index) => (radii[index] ?? 0) > 1.25 * usual)
    .map((index) => ({ at: [positions[3 * index] ?? 0, (positions[3 * index + 1] ?? 0) + (radii[index] ?? 0), positions[3 * index + 2] ?? 0], text: nameOf(graph.nodes[index]), node: index }));
}

export function groupsOf(graph: Graph, model: Model, hubs: boolean): Groups {
  if (hubs) return byHub(graph);
  const colour = (key: string, place: number) => (place < 0 || key === SMALLER || key === ALONE ? grey : (colours[place] ?? grey));
  if (!model.clusters) return counted(graph.nodes.map(({ kind }) => kind), model.kinds, colour);
  const ranks = Array.from({ length: NAMED }, (_, rank) => String(rank + 1));
  const keys = Array.from(clustersOf(graph), (rank) => (rank < 0 ? ALONE : rank < NAMED ? String(rank + 1) : SMALLER));
  return counted(keys, [...ranks, SMALLER, ALONE], colour);
}

export function linkPairs(graph: Graph): Uint32Array {
  return Uint32Array.from(graph.links.flatMap(({ source, target }) => [source, target]));
}

/** The nodes that are shown: of groups that are not hidden, and there by `until` (null: always). */
export function visibleNodes(graph: Graph, groups: Groups, hidden: ReadonlySet<string>, until: number | null): Uint8Array {
  return Uint8Array.from(graph.nodes, ({ at }, index) => {
    const group = groups.groups[groups.of[index] ?? 0];
    if (group && hidden.has(group.key)) return 0;
    return until === null || at === null || at <= until ? 1 : 0;
  });
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  /** Nodes that appear in each of equal steps. */
  readonly steps: readonly number[];
}

/** A moment of a graph that is there no more counts only where the span of this one has it. */
export const withinSpan = (span: Timeline | null, at: number | null): number | null => (span !== null && at !== null && at >= span.from && at < span.to ? at : null);

/** When the nodes appear; null where there is no span of time. */
export function timelineOf(graph: Graph, count = 72): Timeline | null {
  const times = graph.nodes.flatMap(({ at }) => at ?? []);
  const from = times.reduce((a, b) => Math.min(a, b), Infinity);
  const to = times.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(to > from)) return null;
  const steps = new Array<number>(count).fill(0);
  for (const at of times) {
    const step = Math.min(count - 1, Math.floor(((at - from) / (to - from)) * count));
    steps[step] = (steps[step] ?? 0) + 1;
  }
  return { from, to, steps };
}
