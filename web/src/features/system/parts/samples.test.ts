import { expect, it } from 'vitest';
import { growth, sampleOf, withSample, type Sample } from './samples';

const sample = (at: number, blocks: number): Sample => ({ at, blocks, rows: {}, lagMs: 0 });

it('counts blocks over all covered ranges, and the age of the newest', () => {
  const monitor = { covered: [{ from: 0, to: 9 }, { from: 20, to: 20 }], tables: [{ name: 'blocks', rows: 11, bytes: 1, files: 1, head: 20 }], head: { number: 20, hash: '0x', time: 5_000 } };
  expect(sampleOf(monitor, 9_000)).toEqual({ at: 9_000, blocks: 11, rows: { blocks: 11 }, lagMs: 4_000 });
  expect(sampleOf({ ...monitor, head: null }, 9_000).lagMs).toBeNull();
});

it('tells growth a second, never below zero', () => {
  const samples = [sample(0, 10), sample(5_000, 20), sample(10_000, 15), sample(12_000, 19)];
  expect(growth(samples, (one) => one.blocks)).toEqual([2, 0, 2]);
  expect(growth([sample(0, 1)], (one) => one.blocks)).toEqual([]);
});

it('keeps half an hour and no answer twice', () => {
  let samples: readonly Sample[] = [];
  for (let index = 0; index < 400; index += 1) samples = withSample(samples, sample(index, index));
  expect(samples).toHaveLength(360);
  expect(samples[0]?.at).toBe(40);
  expect(withSample(samples, sample(399, 1))).toBe(samples);
});
