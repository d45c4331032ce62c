/** Blocks in a row along time, each with its transactions stacked on it: layers of kinds, like the cut through the chain. */
import type { Graph } from '../rows';
import type { Mark, Placed, Words } from './place';
import { put, REACH } from './room';

/** Transactions in a layer of a tower: side by side and behind each other. */
const ACROSS = 3;
const BEHIND = 2;
/** The flat picture has columns only. */
const FLAT_ACROSS = 3;

/** Dots grow with the number of digits of what they moved. */
function radii(graph: Graph, step: number, block: number): Float32Array {
  const digits = graph.nodes.map(({ size }) => Math.log10(1 + Math.max(0, Number(size) || 0)));
  const most = digits.reduce((a, b) => Math.max(a, b), 1);
  return Float32Array.from(graph.nodes, ({ kind }, index) => (kind === 'block' ? block : step * (0.28 + 0.2 * ((digits[index] ?? 0) / most) ** 3)));
}

export function asBlocks(graph: Graph, kinds: readonly string[], flat: boolean, { moment }: Words): Placed {
  const positions = new Float32Array(3 * graph.nodes.length);
  const blocks = graph.nodes.map((_, index) => index).filter((index) => graph.nodes[index]?.kind === 'block').sort((a, b) => (graph.nodes[a]?.at ?? 0) - (graph.nodes[b]?.at ?? 0));
  const between = (2 * REACH) / Math.max(8, blocks.length);
  const across = flat ? FLAT_ACROSS : ACROSS;
  const step = (between * (flat ? 0.86 : 0.78)) / across;
  const half = between * 0.42;
  const inside = new Map<number, number[]>(blocks.map((block) => [block, []]));
  const loose = new Set(graph.nodes.map((_, index) => index).filter((index) => graph.nodes[index]?.kind !== 'block'));
  for (const { source, target } of graph.links) {
    if (inside.get(target)?.push(source)) loose.delete(source);
  }
  const floor = -16;
  const order = (index: number) => kinds.indexOf(graph.nodes[index]?.kind ?? '');
  const size = (index: number) => Number(graph.nodes[index]?.size ?? 0);
  for (const [rank, block] of blocks.entries()) {
    const x = (rank - (blocks.length - 1) / 2) * between;
    put(positions, block, x, floor - half - step * 0.1, 0);
    const stack = (inside.get(block) ?? []).sort((a, b) => order(a) - order(b) || size(b) - size(a) || a - b);
    for (const [place, index] of stack.entries()) {
      const perLayer = flat ? across : across * BEHIND;
      const [layer, within] = [Math.floor(place / perLayer), place % perLayer];
      const [column, row] = [within % across, Math.floor(within / across)];
      put(positions, index, x + (column - (across - 1) / 2) * step, floor + step * (1 + layer), flat ? 0 : ((BEHIND - 1) / 2 - row) * step);
    }
  }
  // Transactions whose block is not among the rows.
  for (const [rank, index] of [...loose].entries()) put(positions, index, ((blocks.length + 1) / 2) * between + (rank % across) * step, floor + Math.floor(rank / across) * step, 0);
  const every = Math.max(1, Math.ceil(blocks.length / 6));
  const marks = blocks.flatMap((block, rank): Mark[] => {
    const node = graph.nodes[block];
    if (!node || (blocks.length - 1 - rank) % every !== 0) return [];
    const text = `#${node.id.replace(/\D/g, '').replace(/\B(?=(\d{3})+$)/g, ',')} · ${node.at === null ? '' : moment(node.at)}`;
    return [{ at: [positions[3 * block] ?? 0, floor - 2 * half - step * 1.2, 0], text, node: -1 }];
  });
  return { positions, radii: radii(graph, step, half), marks, boxes: Uint8Array.from(graph.nodes, ({ kind }) => (kind === 'block' ? 1 : 0)), walls: false, row: true, eye: flat ? [0, 0.05, 1] : [0.32, 0.3, 1] };
}
