import { expect, it } from 'vitest';
import type { RecentBlock } from '@/api/chain';
import { chainStats } from './chain-stats';

const block = (number: number, at: string, gasUsed: number, transactionCount: number): RecentBlock => ({
  number,
  time: Date.parse(`${at}Z`),
  gasUsed,
  gasLimit: 100,
  transactionCount,
  baseFee: String(number * 1_000_000_000),
  gasByKind: { swap: 0, token: 0, transfer: gasUsed, nft: 0, creation: 0, other: 0 },
});

it('takes means over the blocks and the newest price', () => {
  const stats = chainStats([block(1, '2026-01-01 23:59:48', 25, 10), block(2, '2026-01-02 00:00:00', 50, 20), block(3, '2026-01-02 00:00:36', 75, 30)]);
  expect(stats?.baseFee).toBe('3000000000');
  expect(stats?.transactions.value).toBe(20);
  expect(stats?.fullness.value).toBe(0.5);
  expect(stats?.interval).toEqual({ value: 24, points: [12, 36] });
});

it('says nothing of an empty chain, and does not divide by nothing', () => {
  expect(chainStats([])).toBeNull();
  expect(chainStats([{ ...block(0, '2026-01-01 00:00:00', 0, 0), gasLimit: 0, baseFee: null }])?.fullness.value).toBe(0);
});
