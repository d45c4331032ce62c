import { describe, expect, it } from 'vitest';
import { parseExact, plainExact } from '@/lib/exact';
import { findCycle, largestLinks, LinkSum } from './links';

const link = (source: string, target: string, value = '1') => {
  const exact = parseExact(value);
  if (!exact) throw new Error(value);
  return { source, target, value: exact };
};

describe('links', () => {
  it('adds up links of the same ends and keeps directions apart', () => {
    const sum = new LinkSum();
    for (const [source, target, value] of [['a', 'b', '9007199254740993'], ['a', 'b', '1'], ['b', 'a', '5']] as const) sum.add(source, target, link('', '', value).value);
    expect(sum.links().map(({ source, target, value }) => [source, target, plainExact(value)])).toEqual([['a', 'b', '9007199254740994'], ['b', 'a', '5']]);
  });
  it('keeps the largest and counts the rest', () => {
    const { kept, left, rest } = largestLinks([link('a', 'b', '3'), link('a', 'c', '9'), link('b', 'c', '5')], 2);
    expect([kept.map(({ target, value }) => target + plainExact(value)), left, plainExact(rest)]).toEqual([['c9', 'c5'], 1, '3']);
  });
  it('names a ring, also of a node with itself, and finds none in a diamond', () => {
    expect(findCycle([link('a', 'b'), link('b', 'c'), link('c', 'd'), link('d', 'b')])).toEqual(['b', 'c', 'd', 'b']);
    expect(findCycle([link('x', 'y'), link('a', 'a')])).toEqual(['a', 'a']);
    expect(findCycle([link('a', 'b'), link('a', 'c'), link('b', 'd'), link('c', 'd')])).toBeNull();
  });
  it('walks a chain of 50,000 links', () => {
    const chain = Array.from({ length: 50_000 }, (_, at) => link(`n${at}`, `n${at + 1}`));
    expect(findCycle(chain)).toBeNull();
    expect(findCycle([...chain, link('n50000', 'n49999')])).toEqual(['n49999', 'n50000', 'n49999']);
  });
});
