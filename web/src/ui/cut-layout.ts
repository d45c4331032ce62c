// The cut as shapes: recent blocks as layers, newest on top. Height is gas used, the parts of a layer are kinds of call.
import { callKinds, type CallKind, type RecentBlock } from '@/api/chain';

export interface Part {
  kind: CallKind;
  /** From the left edge of the picture, 0 to 1. */
  x: number;
  width: number;
  /** Share of the block's gas. */
  share: number;
  /** 0 to 1: how large the share is among those of the same kind in the picture. */
  weight: number;
}

export interface Layer {
  block: RecentBlock;
  /** 0 to 1 from the top. */
  y: number;
  height: number;
  x: number;
  parts: Part[];
}

/** Blocks that share one left edge: a bench of the quarry. */
const benchSize = 8;
/** The least a layer is high, as part of the mean height, so that an empty block is still a layer. */
const thinnest = 0.18;

/** Gas of a block by kind, in the fixed order of kinds. */
export const gasParts = (block: RecentBlock): [CallKind, number][] => callKinds.map((kind) => [kind, block.gasByKind[kind]]);

/** The layers of `blocks` (newest first). The left edge steps from `top` to `bottom` (0 to 1) from bench to bench. */
export function cutLayers(blocks: RecentBlock[], top: number, bottom: number): Layer[] {
  const gas = blocks.map((block) => block.gasUsed);
  const mean = gas.reduce((sum, value) => sum + value, 0) / Math.max(1, gas.length) || 1;
  const heights = gas.map((value) => value / mean + thinnest);
  const total = heights.reduce((sum, value) => sum + value, 0);
  const benches = Math.max(1, Math.ceil(blocks.length / benchSize) - 1);

  const shares = blocks.map((block) => gasParts(block).map(([kind, value]) => ({ kind, share: value / Math.max(1, block.gasUsed) })));
  const largest = new Map(callKinds.map((kind, at) => [kind, Math.max(...shares.map((parts) => parts[at]?.share ?? 0), 0)]));

  let y = 0;
  return blocks.map((block, index) => {
    const height = (heights[index] ?? 0) / total;
    const x = top + ((bottom - top) * Math.floor(index / benchSize)) / benches;
    const layer: Layer = { block, y, height, x, parts: [] };
    y += height;
    let left = x;
    for (const { kind, share } of shares[index] ?? []) {
      if (share <= 0) continue;
      const width = (1 - x) * share;
      const weight = share / (largest.get(kind) || 1);
      layer.parts.push({ kind, x: left, width, share, weight });
      left += width;
    }
    return layer;
  });
}

/** Share of each kind in the gas of all the blocks, largest first, kinds without any left out. */
export function kindShares(blocks: RecentBlock[]): { kind: CallKind; share: number }[] {
  const total = blocks.reduce((sum, block) => sum + block.gasUsed, 0);
  if (total === 0) return [];
  return callKinds
    .map((kind) => ({ kind, share: blocks.reduce((sum, block) => sum + block.gasByKind[kind], 0) / total }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share);
}
