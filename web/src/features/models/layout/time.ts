/** Along time from left to right: nodes in lanes by kind, or one curve for each kind. */
import type { Graph } from '../rows';
import type { Mark, Placed, Words } from './place';
import { part, put, REACH, spanOf, spread, ticks, type Span } from './room';
import { radiiOf } from './force';

const WIDTH = 2 * REACH;

const timesOf = (graph: Graph): Span => spanOf(graph.nodes.flatMap(({ at }) => at ?? []));

/** Moments along the front edge of the floor. */
function momentMarks(times: Span, y: number, z: number, { moment }: Words): Mark[] {
  return ticks(times, 5).map((ms) => ({ at: [(2 * part(ms, times) - 1) * REACH, y, z], text: moment(ms), node: -1 }));
}

const present = (graph: Graph, kinds: readonly string[]): string[] => {
  const there = new Set(graph.nodes.map(({ kind }) => kind));
  return [...kinds.filter((kind) => there.has(kind)), ...[...there].filter((kind) => !kinds.includes(kind)).sort()];
};

/** Higher nodes are larger than more of the others; lanes are as deep as they are full. */
export function byTime(graph: Graph, kinds: readonly string[], words: Words): Placed {
  const positions = new Float32Array(3 * graph.nodes.length);
  const times = timesOf(graph);
  const order = graph.nodes.map((_, index) => index).sort((a, b) => Number(graph.nodes[a]?.size ?? 0) - Number(graph.nodes[b]?.size ?? 0));
  const rank = new Float32Array(graph.nodes.length);
  for (const [place, index] of order.entries()) rank[index] = place / Math.max(1, order.length - 1);
  const lanes = present(graph, kinds);
  const weights = lanes.map((lane) => 6 + Math.sqrt(graph.nodes.filter(({ kind }) => kind === lane).length));
  const whole = weights.reduce((a, b) => a + b, 0) || 1;
  const starts = weights.map((_, lane) => weights.slice(0, lane).reduce((a, b) => a + b, 0) / whole);
  const DEPTH = 56;
  const middle = (lane: number, across: number) => ((starts[lane] ?? 0) + ((weights[lane] ?? 0) / whole) * across - 0.5) * DEPTH;
  for (const [index, { id, at, kind }] of graph.nodes.entries()) {
    // Rows of one block have one time: they stand side by side.
    const x = (2 * (at === null ? 0.5 : part(at, times)) - 1) * REACH + (spread(id) - 0.5) * 1.8;
    put(positions, index, x, (rank[index] ?? 0) ** 1.5 * 36 - 16, middle(lanes.indexOf(kind), 0.12 + 0.76 * spread(`${id}z`)));
  }
  const names: Mark[] = lanes.map((kind, lane) => ({ at: [-REACH - 5, -16, middle(lane, 0.5)], text: words.kind(kind), node: -1 }));
  return { positions, radii: radiiOf(graph), marks: [...names, ...momentMarks(times, -17, DEPTH / 2 + 5, words)], boxes: null, walls: false, row: true, eye: [0.22, 0.34, 1] };
}

/** One curve a kind, each as high as its own largest value, one behind the other. */
export function asCurves(graph: Graph, kinds: readonly string[], words: Words): Placed {
  const positions = new Float32Array(3 * graph.nodes.length);
  const times = timesOf(graph);
  const lanes = present(graph, kinds);
  const apart = 11;
  const z = (kind: string) => ((lanes.length - 1) / 2 - lanes.indexOf(kind)) * apart;
  const highest = new Map(lanes.map((lane) => [lane, spanOf(graph.nodes.filter(({ kind }) => kind === lane).map(({ size }) => Number(size))).high]));
  for (const [index, { at, size, kind }] of graph.nodes.entries()) {
    put(positions, index, ((2 * (at === null ? 0.5 : part(at, times)) - 1) * WIDTH * 0.42), (Number(size) / (highest.get(kind) || 1)) * 24 - 12, z(kind));
  }
  const edge = WIDTH * 0.42;
  // Each name stands at the end of its curve.
  const ends = new Map(graph.nodes.map(({ kind }, index) => [kind, positions[3 * index + 1] ?? 0]));
  const names: Mark[] = lanes.map((kind) => ({ at: [edge + 7, ends.get(kind) ?? 0, z(kind)], text: words.kind(kind), node: -1 }));
  const moments = momentMarks(times, -13, ((lanes.length + 0.4) / 2) * apart, words).map((mark): Mark => ({ ...mark, at: [mark.at[0] * 0.84, mark.at[1], mark.at[2]] }));
  return { positions, radii: new Float32Array(graph.nodes.length).fill(0.7), marks: [...names, ...moments], boxes: null, walls: true, row: true, eye: [0.3, 0.4, 1] };
}
