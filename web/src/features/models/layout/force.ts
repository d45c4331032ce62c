/** Nodes pulled together by their links and pushed apart by each other, large ones keeping more room. */
import type { Graph } from '../rows';
import type { Placed } from './place';
import { at, direction, put, spread, usualEye } from './room';

/** Up to here every pair is looked at; beyond, far ones are pushed by whole cells. */
const EVERY_PAIR = 700;
/** Room between the surfaces of neighbours. */
const GAP = 1.6;
const CHARGE = 26;
/** Cells of the far push, and of the near one. */
const FAR = 14;
const NEAR = 4.5;

/** Larger for larger sizes: the area shows the size. Where most are large, none may fill the room. */
export function radiiOf(graph: Graph): Float32Array {
  const sizes = graph.nodes.map(({ size }) => Math.max(0, Number(size) || 0));
  const most = sizes.reduce((a, b) => Math.max(a, b), 0) || 1;
  const shares = sizes.map((size) => Math.sqrt(size / most));
  const mean = shares.reduce((a, b) => a + b, 0) / Math.max(1, shares.length);
  const base = graph.nodes.length > 1500 ? 0.34 : graph.nodes.length > 300 ? 0.44 : 0.6;
  const room = Math.min(2.6, 0.45 / (mean || 1));
  return Float32Array.from(shares, (share) => base + room * share);
}

export interface Hubs {
  degree: Int32Array;
  /** Each node's neighbour with the most links, or itself when it has the most. */
  hub: Int32Array;
}

export function hubsOf(graph: Graph): Hubs {
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

/** Hubs spread over a flattened sphere, their neighbours in a ball around them. */
function firstPlaces(graph: Graph, { degree, hub }: Hubs): Float32Array {
  const positions = new Float32Array(3 * graph.nodes.length);
  const order = graph.nodes.map((_, index) => index).filter((index) => (degree[index] ?? 0) > 0).sort((a, b) => (degree[b] ?? 0) - (degree[a] ?? 0) || a - b);
  const roots = order.filter((index) => hub[index] === index);
  const room = roots.length === 1 ? 0 : 9 * Math.cbrt(roots.length) + 8;
  for (const [rank, index] of roots.entries()) {
    const [x, y, z] = direction(rank, roots.length);
    put(positions, index, x * room, y * room * 0.6, z * room);
  }
  for (const [rank, index] of order.entries()) {
    const around = hub[index] ?? index;
    if (around === index) continue;
    const [x, y, z] = direction((rank * 7) % 211, 211);
    const far = (2 + 1.5 * Math.cbrt(degree[around] ?? 1)) * (0.5 + 0.7 * spread(graph.nodes[index]?.id ?? ''));
    put(positions, index, at(positions, 3 * around) + x * far, at(positions, 3 * around + 1) + y * far, at(positions, 3 * around + 2) + z * far);
  }
  return positions;
}

/** Everything a step needs. */
interface Field {
  positions: Float32Array;
  moves: Float32Array;
  radii: Float32Array;
  /** The nodes that have links. */
  members: readonly number[];
}

function move({ moves }: Field, index: number, x: number, y: number, z: number): void {
  moves[3 * index] = at(moves, 3 * index) + x;
  moves[3 * index + 1] = at(moves, 3 * index + 1) + y;
  moves[3 * index + 2] = at(moves, 3 * index + 2) + z;
}

/** Pushes `a` away from `b`: hard where they touch, with `charge` from afar. */
function push(field: Field, a: number, b: number, charge: number): void {
  const { positions, radii } = field;
  const x = at(positions, 3 * a) - at(positions, 3 * b);
  const y = at(positions, 3 * a + 1) - at(positions, 3 * b + 1);
  const z = at(positions, 3 * a + 2) - at(positions, 3 * b + 2);
  const square = x * x + y * y + z * z + 0.01;
  const distance = Math.sqrt(square);
  const close = at(radii, a) + at(radii, b) + GAP - distance;
  const strength = ((close > 0 ? close * 0.35 : 0) + charge / (square + 4)) / distance;
  move(field, a, x * strength, y * strength, z * strength);
}

function pushEveryPair(field: Field): void {
  for (const a of field.members) for (const b of field.members) if (a !== b) push(field, a, b, CHARGE);
}

/** Members by the cell of space they are in. */
function cells({ positions, members }: Field, size: number): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const place = (value: number) => Math.max(0, Math.min(1023, Math.floor(value / size) + 512));
  for (const index of members) {
    const key = (place(at(positions, 3 * index)) * 1024 + place(at(positions, 3 * index + 1))) * 1024 + place(at(positions, 3 * index + 2));
    const cell = found.get(key);
    if (cell) cell.push(index);
    else found.set(key, [index]);
  }
  return found;
}

/** Neighbours push each other; what is far pushes as one heavy point. */
function pushByCells(field: Field): void {
  const { positions } = field;
  for (const inside of cells(field, NEAR).values()) {
    // A crowded cell is thinned by its first members: all pairs of it would cost too much.
    const crowd = inside.slice(0, 24);
    for (const a of inside) for (const b of crowd) if (a !== b) push(field, a, b, 0.4);
  }
  const centres = [...cells(field, FAR).values()].map((inside) => {
    const sum = [0, 1, 2].map((axis) => inside.reduce((all, index) => all + at(positions, 3 * index + axis), 0) / inside.length);
    return { x: sum[0] ?? 0, y: sum[1] ?? 0, z: sum[2] ?? 0, mass: inside.length };
  });
  for (const a of field.members) {
    let [right, up, near] = [0, 0, 0];
    for (const { x, y, z, mass } of centres) {
      const dx = at(positions, 3 * a) - x;
      const dy = at(positions, 3 * a + 1) - y;
      const dz = at(positions, 3 * a + 2) - z;
      const square = dx * dx + dy * dy + dz * dz + FAR * FAR * 0.4;
      const strength = (0.9 * mass) / (square * Math.sqrt(square));
      right += dx * strength;
      up += dy * strength;
      near += dz * strength;
    }
    move(field, a, right, up, near);
  }
}

function pull(field: Field, graph: Graph, { degree }: Hubs): void {
  const { positions, radii } = field;
  for (const { source, target } of graph.links) {
    const x = at(positions, 3 * target) - at(positions, 3 * source);
    const y = at(positions, 3 * target + 1) - at(positions, 3 * source + 1);
    const z = at(positions, 3 * target + 2) - at(positions, 3 * source + 2);
    const distance = Math.hypot(x, y, z) || 0.01;
    const [few, many] = [degree[source] ?? 1, degree[target] ?? 1].sort((a, b) => a - b) as [number, number];
    // Leaves of a hub fill a ball around it, not its surface only.
    const leaf = graph.nodes[degree[source] === few ? source : target]?.id ?? '';
    const wanted = at(radii, source) + at(radii, target) + (1.5 + 1.3 * Math.cbrt(many)) * (few === 1 ? 0.45 + 0.9 * spread(leaf) : 1);
    const strength = ((distance - wanted) / distance) * (0.14 / Math.sqrt(few));
    // The end with more links is heavier and moves less.
    const weight = (degree[target] ?? 1) / ((degree[source] ?? 1) + (degree[target] ?? 1));
    move(field, source, x * strength * weight, y * strength * weight, z * strength * weight);
    move(field, target, -x * strength * (1 - weight), -y * strength * (1 - weight), -z * strength * (1 - weight));
  }
}

/** Nodes without links lie around the others in a flat ring. */
function placeAlone(graph: Graph, positions: Float32Array, degree: Int32Array): void {
  const alone = graph.nodes.map((_, index) => index).filter((index) => degree[index] === 0);
  if (alone.length === 0) return;
  const linked = graph.nodes.length - alone.length;
  let reach = 0;
  for (let index = 0; index < degree.length; index++) {
    if ((degree[index] ?? 0) > 0) reach = Math.max(reach, Math.hypot(at(positions, 3 * index), at(positions, 3 * index + 2)));
  }
  for (const [rank, index] of alone.entries()) {
    const id = graph.nodes[index]?.id ?? '';
    const [x, y, z] = direction(rank, alone.length);
    if (linked === 0) {
      const far = 5 * Math.cbrt(alone.length) * (0.6 + 0.5 * spread(id));
      put(positions, index, x * far, y * far * 0.7, z * far);
      continue;
    }
    const angle = 2 * Math.PI * ((rank * 0.618034) % 1);
    const far = reach * (1.08 + 0.35 * spread(id)) + 3;
    put(positions, index, Math.cos(angle) * far, y * reach * 0.35, Math.sin(angle) * far);
  }
}

export function byForce(graph: Graph): Placed {
  const hubs = hubsOf(graph);
  const radii = radiiOf(graph);
  const positions = firstPlaces(graph, hubs);
  const members = graph.nodes.map((_, index) => index).filter((index) => (hubs.degree[index] ?? 0) > 0);
  const field: Field = { positions, moves: new Float32Array(positions.length), radii, members };
  const small = members.length <= EVERY_PAIR;
  const steps = small ? 110 : 60;
  for (let step = 0; step < steps; step++) {
    field.moves.fill(0);
    if (small) pushEveryPair(field);
    else pushByCells(field);
    pull(field, graph, hubs);
    const calm = 1.6 * (1 - step / steps);
    for (const index of members) {
      for (let axis = 3 * index; axis < 3 * index + 3; axis++) {
        // A little pull to the middle keeps parts without a link between them together.
        const wish = at(field.moves, axis) - at(positions, axis) * 0.012;
        positions[axis] = at(positions, axis) + Math.max(-calm, Math.min(calm, wish));
      }
    }
  }
  placeAlone(graph, positions, hubs.degree);
  return { positions, radii, marks: [], boxes: null, walls: false, row: false, eye: usualEye };
}
