import { expect, it } from 'vitest';
import type { RecentBlock } from '@/api/chain';
import { cutLayers, gasParts, kindShares } from './cut-layout';

const nothing = { swap: 0, token: 0, transfer: 0, nft: 0, creation: 0, other: 0 };
const block = (number: number, gasUsed: number, kinds: Partial<RecentBlock['gasByKind']> = { other: gasUsed }): RecentBlock => ({
  number,
  time: 0,
  gasUsed,
  gasLimit: 100,
  transactionCount: 1,
  gasByKind: { ...nothing, ...kinds },
});
const close = (value: number | undefined, wanted: number) => expect(value).toBeCloseTo(wanted, 9);

it('fills the height, more gas in a higher layer', () => {
  const layers = cutLayers([block(2, 90), block(1, 30)], 0.4, 0.4);
  close(layers.reduce((sum, layer) => sum + layer.height, 0), 1);
  close(layers[1]?.y, layers[0]?.height ?? 0);
  expect((layers[0]?.height ?? 0) / (layers[1]?.height ?? 1)).toBeGreaterThan(2);
});

it('fills each layer from its edge to the right side', () => {
  const [layer] = cutLayers([block(1, 80, { swap: 20, transfer: 60 })], 0.5, 0.5);
  expect(layer?.parts.map(({ kind, share }) => [kind, share])).toEqual([['swap', 0.25], ['transfer', 0.75]]);
  close(layer?.parts[0]?.x, 0.5);
  close(layer?.parts.at(-1)?.x, 0.625);
  close((layer?.parts.at(-1)?.x ?? 0) + (layer?.parts.at(-1)?.width ?? 0), 1);
});

it('steps the edge from bench to bench', () => {
  const layers = cutLayers(Array.from({ length: 24 }, (_, index) => block(24 - index, 50)), 0.6, 0.2);
  close(layers[0]?.x, 0.6);
  close(layers[7]?.x, 0.6);
  close(layers[8]?.x, 0.4);
  close(layers[23]?.x, 0.2);
});

it('draws empty blocks and an empty chain', () => {
  const layers = cutLayers([block(2, 0), block(1, 0)], 0, 0);
  expect(layers.every((layer) => Number.isFinite(layer.y) && layer.height > 0 && layer.parts.length === 0)).toBe(true);
  expect(cutLayers([], 0, 0)).toEqual([]);
});

it('adds up the kinds of many blocks, largest first', () => {
  expect(kindShares([block(1, 60, { swap: 10, token: 50 }), block(2, 40, { swap: 10, other: 30 })])).toEqual([
    { kind: 'token', share: 0.5 },
    { kind: 'other', share: 0.3 },
    { kind: 'swap', share: 0.2 },
  ]);
  expect(kindShares([])).toEqual([]);
  expect(gasParts(block(1, 60)).filter(([, gas]) => gas > 0)).toHaveLength(1);
});
