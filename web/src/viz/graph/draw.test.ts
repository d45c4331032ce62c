import { describe, expect, it } from 'vitest';
import '@/ui/chart';
import '@/ui/chart-more';
import { svgText } from '@/ui/chart-svg';
import type { Cell } from '@/lib/columns';
import { look as page, modelOf, result } from '../fixture';
import { draw } from './draw';
import { defaults, type GraphOptions } from './options';
import { transform } from './transform';

const links = (rows: Cell[][]) => result([['source', 'varchar'], ['target', 'varchar'], ['n', 'int']], ...rows);
const star = links(Array.from({ length: 28 }, (_, at) => ['The router of all', `Holder number ${at}`, at + 1]));
const chain = links(Array.from({ length: 6 }, (_, at) => [`Account ${at}`, `Account ${at + 1}`, 1]));
const tangle = links(Array.from({ length: 600 }, (_, at) => [`a${(at * at) % 97}`, `a${(at * 31 + 7) % 211}`, at + 1]));

function svgOf(table: typeof star, width: number, height: number, change: Partial<GraphOptions> = {}): string {
  const options = { ...defaults(table), legend: false, ...change };
  const option = draw(modelOf(transform(table, options)), options, { ...page, width, height }, (word) => word);
  return svgText({ ...option, animation: false }, width, height);
}

/** Where a name begins, and about how long it is. */
function namesIn(svg: string) {
  const found = [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)];
  return found.map(([, attributes = '', text = '']) => {
    const [x, y] = (/translate\(([-\d.]+) ([-\d.]+)\)/.exec(attributes) ?? []).slice(1).map(Number);
    const anchor = /text-anchor="(\w+)"/.exec(attributes)?.[1] ?? 'start';
    const width = 0.5 * page.fontSize * text.length;
    const left = (x ?? NaN) - { start: 0, middle: width / 2, end: width }[anchor as 'start' | 'middle' | 'end'];
    return { text, left, right: left + width, y: y ?? NaN };
  });
}

/** The middles of the nodes. */
function nodesIn(svg: string) {
  return [...svg.matchAll(/<path d="M1 0A1[^>]*transform="matrix\(([-\d.]+),0,0,[-\d.]+,([-\d.]+),([-\d.]+)\)"/g)].map(([, radius, x, y]) => ({ radius: Number(radius), x: Number(x), y: Number(y) }));
}

const cards = [[900, 320], [320, 240], [420, 700]] as const;

describe.each(cards)('a graph in a card of %i by %i', (width, height) => {
  it.each(Object.entries({ star, chain, tangle }))('shows each node and each name of the %s as a whole', (_, table) => {
    const svg = svgOf(table, width, height);
    const [nodes, names] = [nodesIn(svg), namesIn(svg)];
    expect(nodes).toHaveLength(modelOf(transform(table, defaults(table))).nodes.length);
    expect(names.length).toBeGreaterThan(2);
    for (const { x, y, radius } of nodes) expect([x - radius >= 0, x + radius <= width, y - radius >= 0, y + radius <= height]).toEqual([true, true, true, true]);
    for (const { text, left, right, y } of names) expect([text, left >= 0, right <= width, y >= 0, y <= height]).toEqual([text, true, true, true, true]);
  });

  it('fills it', () => {
    const nodes = nodesIn(svgOf(tangle, width, height));
    const reach = (all: number[]) => Math.max(...all) - Math.min(...all);
    expect(reach(nodes.map(({ x }) => x))).toBeGreaterThan(0.8 * width);
    expect(reach(nodes.map(({ y }) => y))).toBeGreaterThan(0.7 * height);
  });
});

it('is the same picture each time', () => {
  const [one, other] = [svgOf(tangle, 900, 320), svgOf(tangle, 900, 320)];
  expect([nodesIn(one), namesIn(one)]).toEqual([nodesIn(other), namesIn(other)]);
});

it('keeps its shape when its card gets larger', () => {
  const shape = (width: number, height: number) => nodesIn(svgOf(chain, width, height)).map(({ x }) => Math.round((100 * x) / width));
  for (const [at, place] of shape(900, 450).entries()) expect(Math.abs(place - (shape(600, 300)[at] ?? NaN))).toBeLessThan(6);
});

it('has room for names around a circle', () => {
  const svg = svgOf(star, 600, 400, { arrange: 'circular' });
  for (const { x, y } of nodesIn(svg)) expect([x > 90, y > 90, x < 510, y < 310]).toEqual([true, true, true, true]);
});
