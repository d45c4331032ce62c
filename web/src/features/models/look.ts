/** What a graph looks like: groups with their colours, radii, and which nodes are there at a moment. */
import type { Model } from './model';
import { clustersOf, type Graph } from './rows';

export interface Group {
  /** A kind, or the rank of a cluster. */
  readonly key: string;
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

export function groupsOf(graph: Graph, model: Model): Groups {
  const colour = (key: string, place: number) => (place < 0 || key === SMALLER || key === ALONE ? grey : (colours[place] ?? grey));
  if (!model.clusters) return counted(graph.nodes.map(({ kind }) => kind), model.kinds, colour);
  const ranks = Array.from({ length: NAMED }, (_, rank) => String(rank + 1));
  const keys = Array.from(clustersOf(graph), (rank) => (rank < 0 ? ALONE : rank < NAMED ? String(rank + 1) : SMALLER));
  return counted(keys, [...ranks, SMALLER, ALONE], colour);
}

/** Radii in the units of the layout: the largest node is some ten times the smallest. */
export function radiiOf(graph: Graph): Float32Array {
  const sizes = graph.nodes.map(({ size }) => Math.max(0, Number(size) || 0));
  const most = sizes.reduce((a, b) => Math.max(a, b), 0) || 1;
  const base = graph.nodes.length > 1500 ? 0.32 : 0.5;
  return Float32Array.from(sizes, (size) => base + 2.6 * Math.cbrt(size / most) ** 1.5);
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
