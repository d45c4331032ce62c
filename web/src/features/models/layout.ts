/** Where nodes stand: three numbers each, always the same for the same graph. */
import type { Layout } from './model';
import type { Graph } from './rows';

/** Half the width of the room, in its own units. */
const REACH = 60;
/** Nodes nearer than this push each other away. */
const NEAR = 4;
const STEPS = 70;
const golden = Math.PI * (3 - Math.sqrt(5));

/** The `index`th of `count` directions spread evenly over a sphere. */
function direction(index: number, count: number): [number, number, number] {
  const y = 1 - (2 * (index + 0.5)) / Math.max(1, count);
  const ring = Math.sqrt(1 - y * y);
  return [Math.cos(golden * index) * ring, y, Math.sin(golden * index) * ring];
}

/** Between 0 and 1, the same for the same text. */
function spread(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return (hash >>> 0) / 4294967296;
}

function put(positions: Float32Array, index: number, x: number, y: number, z: number): void {
  positions[3 * index] = x;
  positions[3 * index + 1] = y;
  positions[3 * index + 2] = z;
}

/** Each node's neighbour with the most links, or itself when it has the most. */
function hubs(graph: Graph): { degree: Int32Array; hub: Int32Array } {
  const degree = new Int32Array(graph.nodes.length);
  for (const { source, target } of graph.links) {
    degree[source] = (degree[source] ?? 0) + 1;
    degree[target] = (degree[target] ?? 0) + 1;
  }
  const hub = Int32Array.from(graph.nodes, (_, index) => index);
  const ahead = (a: number, b: number) => (degree[a] ?? 0) > (degree[b] ?? 0) || (degree[a] === degree[b] && a < b);
  for (const { source, target } of graph.links) {
    if (ahead(target, hub[source] ?? source)) hub[source] = target;
    if (ahead(source, hub[target] ?? target)) hub[target] = source;
  }
  return { degree, hub };
}

/** Hubs spread over a sphere, their neighbours around them, nodes without links on an outer shell. */
function firstPlaces(graph: Graph): Float32Array {
  const { degree, hub } = hubs(graph);
  const positions = new Float32Array(3 * graph.nodes.length);
  const order = graph.nodes.map((_, index) => index).sort((a, b) => (degree[b] ?? 0) - (degree[a] ?? 0) || a - b);
  const roots = order.filter((index) => hub[index] === index && (degree[index] ?? 0) > 0);
  const alone = order.filter((index) => (degree[index] ?? 0) === 0);
  const room = roots.length === 1 ? 0 : 8 * Math.cbrt(roots.length) + 8;
  for (const [rank, index] of roots.entries()) {
    const [x, y, z] = direction(rank, roots.length);
    put(positions, index, x * room, y * room * 0.7, z * room);
  }
  for (const [rank, index] of order.entries()) {
    const around = hub[index] ?? index;
    if (around === index) continue;
    const [x, y, z] = direction((rank * 7) % 211, 211);
    const far = 2.5 + 1.1 * Math.cbrt(degree[around] ?? 1);
    put(positions, index, (positions[3 * around] ?? 0) + x * far, (positions[3 * around + 1] ?? 0) + y * far, (positions[3 * around + 2] ?? 0) + z * far);
  }
  const shell = room * 1.5 + 4 * Math.cbrt(alone.length);
  for (const [rank, index] of alone.entries()) {
    const [x, y, z] = direction(rank, alone.length);
    put(positions, index, x * shell, y * shell * 0.6, z * shell);
  }
  return positions;
}

/** Nodes by the cell of space they are in; only neighbours in the same or the next cells push each other. */
function cells(positions: Float32Array, count: number): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let index = 0; index < count; index++) {
    const key = [0, 1, 2].map((axis) => Math.floor((positions[3 * index + axis] ?? 0) / NEAR)).join();
    const cell = found.get(key);
    if (cell) cell.push(index);
    else found.set(key, [index]);
  }
  return found;
}

function pushApart(positions: Float32Array, moves: Float32Array, count: number): void {
  for (const members of cells(positions, count).values()) {
    // A crowded cell is thinned by its first members: all pairs of it would cost too much.
    const crowd = members.slice(0, 40);
    for (const a of members) {
      for (const b of crowd) {
        if (a === b) continue;
        const x = (positions[3 * a] ?? 0) - (positions[3 * b] ?? 0);
        const y = (positions[3 * a + 1] ?? 0) - (positions[3 * b + 1] ?? 0);
        const z = (positions[3 * a + 2] ?? 0) - (positions[3 * b + 2] ?? 0);
        const distance = Math.hypot(x, y, z) || 0.01;
        const push = Math.max(0, NEAR - distance) / distance / 12;
        add(moves, a, x * push, y * push, z * push);
      }
    }
  }
}

function add(moves: Float32Array, index: number, x: number, y: number, z: number): void {
  moves[3 * index] = (moves[3 * index] ?? 0) + x;
  moves[3 * index + 1] = (moves[3 * index + 1] ?? 0) + y;
  moves[3 * index + 2] = (moves[3 * index + 2] ?? 0) + z;
}

function pullTogether(graph: Graph, positions: Float32Array, moves: Float32Array, degree: Int32Array): void {
  for (const { source, target } of graph.links) {
    const x = (positions[3 * target] ?? 0) - (positions[3 * source] ?? 0);
    const y = (positions[3 * target + 1] ?? 0) - (positions[3 * source + 1] ?? 0);
    const z = (positions[3 * target + 2] ?? 0) - (positions[3 * source + 2] ?? 0);
    const distance = Math.hypot(x, y, z) || 0.01;
    const wanted = 3 + 1.2 * Math.cbrt(Math.max(degree[source] ?? 1, degree[target] ?? 1));
    const pull = ((distance - wanted) / distance) * 0.06;
    // The end with more links is heavier and moves less.
    const weight = (degree[target] ?? 1) / ((degree[source] ?? 1) + (degree[target] ?? 1));
    add(moves, source, x * pull * weight, y * pull * weight, z * pull * weight);
    add(moves, target, -x * pull * (1 - weight), -y * pull * (1 - weight), -z * pull * (1 - weight));
  }
}

function byForce(graph: Graph): Float32Array {
  const count = graph.nodes.length;
  const positions = firstPlaces(graph);
  const { degree } = hubs(graph);
  const moves = new Float32Array(3 * count);
  for (let step = 0; step < STEPS; step++) {
    moves.fill(0);
    pushApart(positions, moves, count);
    pullTogether(graph, positions, moves, degree);
    const calm = 1 - step / STEPS;
    for (let at = 0; at < positions.length; at++) {
      const move = Math.max(-1, Math.min(1, moves[at] ?? 0));
      positions[at] = (positions[at] ?? 0) + move * calm;
    }
  }
  return positions;
}

interface Span {
  low: number;
  high: number;
}

function spanOf(values: Iterable<number>): Span {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? { low: 0, high: 0 } : { low, high };
}

const part = (value: number, { low, high }: Span): number => (high === low ? 0.5 : (value - low) / (high - low));

/** Along time from left to right, larger ones higher, kinds behind each other; flat without `depth`. */
function byTime(graph: Graph, depth: number): Float32Array {
  const positions = new Float32Array(3 * graph.nodes.length);
  const times = spanOf(graph.nodes.flatMap(({ at }) => at ?? []));
  const height = (size: string) => Math.log10(1 + Number(size));
  const heights = spanOf(graph.nodes.map(({ size }) => height(size)));
  const kinds = [...new Set(graph.nodes.map(({ kind }) => kind))].sort();
  for (const [index, { id, at, size, kind }] of graph.nodes.entries()) {
    const lane = part(kinds.indexOf(kind), { low: 0, high: Math.max(1, kinds.length - 1) });
    // Rows of one block have one time: they stand side by side.
    const x = (at === null ? 0.5 : part(at, times)) + (spread(id) - 0.5) * 0.015;
    put(positions, index, (2 * x - 1) * REACH, part(height(size), heights) * 40 - 16, ((lane - 0.5) * 50 + (spread(id) - 0.5) * 9) * depth);
  }
  return positions;
}

/** One curve a kind, each as high as its own largest value. */
function byCurve(graph: Graph): Float32Array {
  const positions = new Float32Array(3 * graph.nodes.length);
  const times = spanOf(graph.nodes.flatMap(({ at }) => at ?? []));
  const kinds = [...new Set(graph.nodes.map(({ kind }) => kind))];
  const highest = new Map(kinds.map((kind) => [kind, spanOf(graph.nodes.filter((node) => node.kind === kind).map(({ size }) => Number(size))).high]));
  for (const [index, { at, size, kind }] of graph.nodes.entries()) {
    const x = at === null ? 0.5 : part(at, times);
    const y = Number(size) / (highest.get(kind) || 1);
    put(positions, index, (2 * x - 1) * REACH, y * 30 - 12, (kinds.indexOf(kind) - (kinds.length - 1) / 2) * 12);
  }
  return positions;
}

export function place(graph: Graph, layout: Layout): Float32Array {
  if (layout === 'time' || layout === 'flat') return byTime(graph, layout === 'time' ? 1 : 0);
  return layout === 'curve' ? byCurve(graph) : byForce(graph);
}
