import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type GraphOptions } from './options';
import { transform } from './transform';

const [a, b, c] = ['a', 'b', 'c'].map((sign) => `0x${sign.repeat(40)}`) as [string, string, string];
const links = result([['from_address', 'address'], ['to_address', 'address'], ['wei', 'decimal(38,0)']], [a, b, '9007199254740993'], [b, c, '5'], [a, b, '1']);
const edges = (from: typeof links, change: Partial<GraphOptions> = {}) => modelOf(transform(from, { ...defaults(from), ...change })).edges.map((edge) => [edge.source, edge.target, digits(edge.value)]);

describe('graph', () => {
  it('links addresses by their weight', () => {
    expect(defaults(links)).toMatchObject({ layout: 'links', source: 'from_address', target: 'to_address', weight: 'wei' });
    expect(edges(links)).toEqual([[a, b, '9007199254740994'], [b, c, '5']]);
    expect(modelOf(transform(links, defaults(links))).nodes.map((node) => [node.id, node.degree])).toEqual([[b, 2], [a, 1], [c, 1]]);
    expect(edges(swapped(links, 'wei', 0, 1))).not.toEqual(edges(links));
  });
  it('keeps the heaviest edges and says what is left out', () => {
    const model = modelOf(transform(links, { ...defaults(links), limit: 1 }));
    expect([model.edges.length, model.notes]).toEqual([1, [{ code: 'linksCut', values: { drawn: 1, left: 1, rest: '5' } }]]);
  });
  it('reads nodes, relationships and paths out of cells', () => {
    const objects = result([['p', 'struct']], [{ nodes: [{ id: '1', labels: ['Account'], properties: { address: a } }, { id: '2', labels: ['Contract'], properties: { name: 'Pool' } }], relationships: [{ id: 'r', start: '1', end: '2', type: 'CALLED' }] }], [[{ id: 'r', start: '1', end: '2', type: 'CALLED' }]]);
    const model = modelOf(transform(objects, defaults(objects)));
    expect(defaults(objects).layout).toBe('objects');
    expect(model.nodes.map((node) => [node.id, node.name, node.category])).toEqual([['1', a, 'Account'], ['2', 'Pool', 'Contract']]);
    expect(model.edges.map((edge) => [edge.source, edge.target, edge.type, digits(edge.value)])).toEqual([['1', '2', 'CALLED', '1']]);
  });
  it('names what is wrong', () => {
    expect(problemOf(transform({ ...links, rows: [[a, null, '1']] }, defaults(links)))).toEqual({ code: 'noLinks' });
    expect(problemOf(transform({ ...links, rows: [[a, b, '-1']] }, defaults(links)))).toMatchObject({ code: 'negativeLink' });
    expect(problemOf(transform(links, { ...defaults(links), layout: 'objects' }))).toEqual({ code: 'noObjects' });
  });
});

it('keeps as many of the largest links as have room for the nodes at their ends', () => {
  const pairs = result([['source', 'varchar'], ['target', 'varchar'], ['n', 'int']], ...Array.from({ length: 600 }, (_, at) => [`a${at}`, `b${at}`, at + 1]));
  const model = modelOf(transform(pairs, defaults(pairs)));
  expect([model.nodes.length, model.edges.length, model.edges[0]?.source, model.notes[0]?.code]).toEqual([300, 150, 'a450', 'linksCut']);
  expect(modelOf(transform(pairs, { ...defaults(pairs), arrange: 'circular' })).edges).toHaveLength(500);
});

it('draws nodes that nothing links without forces, and beside links as many as these have room for', () => {
  const nodes = Array.from({ length: 5_200 }, (_, at) => [{ id: `n${at}`, labels: ['Account'] }]);
  const alone = result([['n', 'struct']], ...nodes);
  const model = modelOf(transform(alone, { ...defaults(alone), arrange: 'force' }));
  expect([model.nodes.length, model.arrange, model.notes]).toEqual([5_000, 'none', [{ code: 'nodesCut', values: { drawn: 5_000, left: 200 } }]]);
  const few = { ...alone, rows: alone.rows.slice(0, 300) };
  expect(modelOf(transform(few, defaults(few)))).toMatchObject({ arrange: 'force', notes: [] });
  const linked = { ...alone, rows: [...alone.rows.slice(0, 1_000), [{ id: 'r', start: 'n0', end: 'n1', type: 'CALLED' }]] };
  const mixed = modelOf(transform(linked, defaults(linked)));
  expect([mixed.nodes.length, mixed.edges.length, mixed.arrange, mixed.notes]).toEqual([300, 1, 'force', [{ code: 'nodesCut', values: { drawn: 300, left: 700 } }]]);
});

it('shows nodes whose links were left out only with these', () => {
  const pairs = Array.from({ length: 600 }, (_, at) => [{ nodes: [{ id: `a${at}` }, { id: `b${at}` }], relationships: [{ id: `r${at}`, start: `a${at}`, end: `b${at}`, type: 'CALLED' }] }]);
  const paths = result([['p', 'struct']], ...pairs);
  const model = modelOf(transform(paths, defaults(paths)));
  expect([model.nodes.length, model.nodes.every(({ degree }) => degree === 1), model.notes.map(({ code }) => code)]).toEqual([300, true, ['linksCut']]);
});
