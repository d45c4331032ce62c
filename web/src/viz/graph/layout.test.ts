import { describe, expect, it } from 'vitest';
import { apart, fitted, places, type Place } from './layout';

const usual = { repulsion: 1, gravity: 0.75, edgeLength: 1 };
const far = (all: readonly Place[], a: number, b: number) => Math.hypot((all[a]?.x ?? NaN) - (all[b]?.x ?? NaN), (all[a]?.y ?? NaN) - (all[b]?.y ?? NaN));

describe('forces', () => {
  it('keep what is linked together', () => {
    // Two groups of five, all of whose members are linked.
    const links = [0, 5].flatMap((first) => [0, 1, 2, 3, 4].flatMap((a) => [0, 1, 2, 3, 4].filter((b) => b > a).map((b) => [first + a, first + b] as const)));
    const all = places(10, links, usual);
    const nearest = (from: number) => [...all.keys()].filter((other) => other !== from).sort((a, b) => far(all, from, a) - far(all, from, b)).slice(0, 4);
    for (const from of all.keys()) expect(nearest(from).every((other) => other < 5 === from < 5)).toBe(true);
  });

  it('do what their shares say', () => {
    const links = [[0, 1]] as const;
    const length = (change: Partial<typeof usual>) => far(places(2, links, { ...usual, ...change }), 0, 1);
    expect(length({ repulsion: 4 })).toBeGreaterThan(length({}));
    expect(length({ edgeLength: 4 })).toBeGreaterThan(length({}));
    expect(length({ gravity: 5 })).toBeLessThan(length({}));
  });

  it.each([0, 1, 2])('place %i nodes that nothing links', (count) => {
    const all = places(count, [], usual);
    expect(all).toHaveLength(count);
    expect(all.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });

  it('place a node that is linked with itself', () => {
    expect(places(1, [[0, 0]], usual)).toEqual([{ x: 0, y: 0 }]);
  });

  it('place thousands of nodes within a moment', () => {
    const links = Array.from({ length: 5_000 }, (_, at) => [at % 4_000, (at * at) % 4_000] as const);
    const start = performance.now();
    const all = apart(fitted(places(4_000, links, usual), links, { left: 0, top: 0, right: 900, bottom: 400 }), Array.from({ length: 4_000 }, () => 2), { left: 0, top: 0, right: 900, bottom: 400 });
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(all.every(({ x, y }) => x >= -0.01 && x <= 900.01 && y >= -0.01 && y <= 400.01)).toBe(true);
  });
});

it('two nodes lie side by side in the middle of a wide box, and one above the other in a high one', () => {
  const two = places(2, [[0, 1]], usual);
  const [a, b] = fitted(two, [[0, 1]], { left: 0, top: 0, right: 900, bottom: 300 });
  expect([a?.y, b?.y].map((y) => Math.round(y ?? NaN))).toEqual([150, 150]);
  expect(Math.round(((a?.x ?? NaN) + (b?.x ?? NaN)) / 2)).toBe(450);
  const high = fitted(two, [[0, 1]], { left: 0, top: 0, right: 300, bottom: 900 });
  expect(high.map(({ x }) => Math.round(x))).toEqual([150, 150]);
});

it('nodes that would cover each other step aside', () => {
  const all = apart([{ x: 50, y: 50 }, { x: 50, y: 50 }, { x: 55, y: 50 }], [10, 10, 10], { left: 10, top: 10, right: 190, bottom: 90 });
  for (const [a, b] of [[0, 1], [0, 2], [1, 2]] as const) expect(far(all, a, b)).toBeGreaterThan(19.9);
});
