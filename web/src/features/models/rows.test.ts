import { describe, expect, it } from 'vitest';
import type { ResultPage } from '@/api/jobs';
import { place } from './layout/place';
import { groupsOf, leftOutOf, namesOf, timelineOf, visibleNodes, withinSpan } from './look';
import { models } from './registry';
import { clustersOf, graphOf, readTime } from './rows';
import { fitValues, readDay, readMonth } from './values';

const page = (names: readonly string[], rows: ResultPage['rows']): ResultPage => ({ columns: names.map((name) => ({ name, type: 'varchar' })), rows, total: rows.length });

const nodes = page(['node', 'kind', 'size', 'at', 'blocks', 'total'], [
  ['a', 'account', '340282366920938463463374607431768211456', '2026-10-01 00:00:00', '7', '5'],
  ['b', 'account', '1', '2026-10-02 00:00:00', '8', '5'],
  ['c', 'token', null, null, null, '5'],
]);
const links = page(['source', 'target', 'size', 'total'], [
  ['a', 'b', '2', '9'],
  ['b', 'gone', '1', '9'],
]);

describe('graphOf', () => {
  it('makes every row of the first query a node, with exact sizes and further columns as facts', () => {
    const graph = graphOf(nodes, links);
    expect(graph.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(graph.nodes[0]?.size).toBe('340282366920938463463374607431768211456');
    expect(graph.nodes[1]?.facts).toEqual([{ column: { name: 'blocks', type: 'varchar' }, value: '8' }]);
  });

  it('tells how many nodes and links are left out', () => {
    const graph = graphOf(nodes, links);
    expect(graph.links).toHaveLength(1);
    expect([graph.nodesLeftOut, graph.linksLeftOut]).toEqual([2, 8]);
    expect([graph, { ...graph, nodesLeftOut: 0 }, { ...graph, linksLeftOut: 0 }, { ...graph, nodesLeftOut: 0, linksLeftOut: 0 }].map(leftOutOf)).toEqual(['both', 'links', 'nodes', null]);
  });

  it('joins the nodes of a kind in time where there is no second query', () => {
    expect(graphOf(nodes, null).links.map(({ source, target }) => [source, target])).toEqual([[0, 1]]);
  });
});

it('parts of the graph are ranked by size, and nodes without links are in none', () => {
  expect([...clustersOf(graphOf(nodes, links))]).toEqual([0, 0, -1]);
});

it('nodes appear at their time, and those without one are always there', () => {
  const graph = graphOf(nodes, links);
  const groups = { groups: [{ key: 'account', count: 2, colour: '--c1' }, { key: 'token', count: 1, colour: '--c3' }], of: Uint8Array.of(0, 0, 1) };
  expect([...visibleNodes(graph, groups, new Set(), readTime('2026-10-01 12:00:00'))]).toEqual([1, 0, 1]);
  expect([...visibleNodes(graph, groups, new Set(['account']), null)]).toEqual([0, 0, 1]);
  expect(timelineOf(graph, 2)?.steps).toEqual([1, 1]);
});

const words = { kind: (kind: string) => kind, moment: String };

it.each(['force', 'time', 'blocks', 'columns', 'curve'] as const)('the layout %s gives every node a place, the same each time', (layout) => {
  const graph = graphOf(nodes, links);
  const placed = place(graph, layout, ['account', 'token'], words);
  expect(placed.positions).toHaveLength(9);
  expect(placed.positions.every(Number.isFinite)).toBe(true);
  expect(placed.radii.every((radius) => radius > 0)).toBe(true);
  expect(place(graph, layout, ['account', 'token'], words)).toEqual(placed);
});

it('where all nodes are large, none fills the room', () => {
  const same = page(['node', 'kind', 'size'], Array.from({ length: 30 }, (_, index) => [`n${index}`, 'account', '1000']));
  const ring = page(['source', 'target', 'size'], Array.from({ length: 30 }, (_, index) => [`n${index}`, `n${(index + 1) % 30}`, '1']));
  const { positions, radii } = place(graphOf(same, ring), 'force', [], words);
  const apart = (a: number, b: number) => Math.hypot(...[0, 1, 2].map((axis) => (positions[3 * a + axis] ?? 0) - (positions[3 * b + axis] ?? 0)));
  for (let a = 0; a < 30; a++) for (let b = 0; b < a; b++) expect(apart(a, b)).toBeGreaterThan((radii[a] ?? 0) + (radii[b] ?? 0));
});

it('transactions stand on their block, layer upon layer', () => {
  const rows = page(['node', 'kind', 'size', 'at'], [
    ['block 7', 'block', '21000', '2026-10-01 00:00:00'],
    ['block 8', 'block', '21000', '2026-10-01 00:00:12'],
    ...Array.from({ length: 9 }, (_, index) => [`t${index}`, 'transfer', '5', '2026-10-01 00:00:12']),
  ]);
  const inside = page(['source', 'target', 'size'], Array.from({ length: 9 }, (_, index) => [`t${index}`, 'block 8', '5']));
  const { positions, boxes } = place(graphOf(rows, inside), 'columns', ['block', 'transfer'], words);
  expect([...(boxes ?? [])].slice(0, 3)).toEqual([1, 1, 0]);
  const [x, y] = [0, 1].map((axis) => Array.from({ length: 9 }, (_, index) => positions[3 * (index + 2) + axis] ?? 0)) as [number[], number[]];
  expect(x.reduce((a, b) => a + b, 0) / 9).toBeGreaterThan(positions[0] ?? 0);
  expect(new Set(y).size).toBe(3);
  expect(Math.min(...y)).toBeGreaterThan(positions[4] ?? 0);
});

it('nodes are told apart by the hub they hang on, and the largest are named', () => {
  const star = page(['node', 'kind', 'size', 'name'], [['hub', 'account', '900', 'Big'], ...['a', 'b', 'c', 'd'].map((id) => [id, 'account', '1', null]), ['alone', 'account', '1', null]]);
  const spokes = page(['source', 'target', 'size'], ['a', 'b', 'c', 'd'].map((id) => ['hub', id, '1']));
  const graph = graphOf(star, spokes);
  const [model] = models;
  if (!model) throw new Error('There is no model.');
  expect(groupsOf(graph, model, true).groups.map(({ key, name, count }) => [key, name, count])).toEqual([
    ['hub', 'Big', 5],
    ['alone', undefined, 1],
  ]);
  expect(namesOf(graph, place(graph, 'force', [], words)).map(({ text }) => text)).toEqual(['Big']);
});

describe('values', () => {
  const lake = { first: Date.parse('2026-08-03T00:00:00Z'), head: Date.parse('2026-10-31T23:55:12Z'), headNumber: 1980, sample: true };

  it('a day or month that the lake does not hold is replaced, and said', () => {
    const controls = [{ name: 'day', kind: 'date' }] as const;
    expect(fitValues(controls, () => '20210728', lake)).toEqual({ values: { day: '2026-10-30' }, missing: '20210728' });
    expect(fitValues(controls, () => '20260901', lake)).toEqual({ values: { day: '2026-09-01' }, missing: null });
  });

  it('only addresses and offered choices reach a query', () => {
    const controls = [{ name: 'address', kind: 'address' }, { name: 'similarity', kind: 'choice', options: ['2', '5'], start: '5' }] as const;
    expect(fitValues(controls, () => "0x' OR 1=1", lake).values).toEqual({ address: '', similarity: '5' });
  });

  it('what is no day or month of the calendar is none', () => {
    expect([readDay('20260230'), readMonth('202613'), readDay('20260228'), readMonth('202612')]).toEqual([null, null, '2026-02-28', '2026-12']);
  });

  it('without a month it is that of the report: of 60 days back until the 5th, later of 30', () => {
    const month = (head: string) => fitValues([{ name: 'month', kind: 'date' }], () => undefined, { ...lake, head: Date.parse(head) }).values['month'];
    expect([month('2026-11-05T00:00:00Z'), month('2026-11-06T00:00:00Z')]).toEqual(['2026-09', '2026-10']);
  });
});

it('a moment that was chosen on another graph hides nothing of this one', () => {
  const span = { from: 100, to: 200, steps: [1] };
  expect([withinSpan(span, 150), withinSpan(span, 100), withinSpan(span, 99), withinSpan(span, 200), withinSpan(null, 150), withinSpan(span, null)]).toEqual([150, 100, null, null, null, null]);
});
