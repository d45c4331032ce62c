// The numbers of the home page's first row, from the newest blocks.
import type { RecentBlock } from '@/api/chain';

export interface Series {
  /** The mean over the blocks; for a price the newest value. */
  value: number;
  points: number[];
}

export interface ChainStats {
  /** In wei, exact; null before the fee existed. */
  baseFee: string | null;
  baseFees: number[];
  transactions: Series;
  fullness: Series;
  /** Seconds from block to block. */
  interval: Series;
}

export function chainStats(blocks: RecentBlock[]): ChainStats | null {
  const newest = blocks.at(-1);
  if (!newest) return null;
  return {
    baseFee: newest.baseFee ?? null,
    // For the small picture a float is exact enough; the number shown comes from the text.
    baseFees: blocks.map((block) => Number(block.baseFee ?? 0)),
    transactions: series(blocks.map((block) => block.transactionCount)),
    fullness: series(blocks.map((block) => block.gasUsed / Math.max(1, block.gasLimit))),
    interval: series(blocks.slice(1).map((block, index) => (block.time - (blocks[index]?.time ?? block.time)) / 1000)),
  };
}

function series(points: number[]): Series {
  const value = points.reduce((sum, point) => sum + point, 0) / Math.max(1, points.length);
  return { value, points };
}
