import { describe, expect, it } from 'vitest';
import type { ResultPage } from '@/api/jobs';
import { place } from './layout';
import { visibleNodes, timelineOf } from './look';
import { clustersOf, graphOf, readTime } from './rows';
import { fitValues, monthAfter, monthBefore, readDay, readMonth } from './values';

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

it.each(['force', 'time', 'flat', 'curve'] as const)('the layout %s gives every node a place, the same each time', (layout) => {
  const graph = graphOf(nodes, links);
  const places = place(graph, layout);
  expect(places).toHaveLength(9);
  expect(places.every(Number.isFinite)).toBe(true);
  expect(place(graph, layout)).toEqual(places);
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

  it('the year-month helper goes 60 days back until the 5th, later 30', () => {
    expect(monthBefore(Date.parse('2026-11-05T00:00:00Z'))).toBe('2026-09');
    expect(monthBefore(Date.parse('2026-11-06T00:00:00Z'))).toBe('2026-10');
    expect([monthAfter('2026-12'), readDay('20260230'), readMonth('202613')]).toEqual(['2027-01-01', null, null]);
  });
});
