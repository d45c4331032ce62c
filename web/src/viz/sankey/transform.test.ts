import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type SankeyOptions } from './options';
import { nameOfKey, transform } from './transform';

const links = result([['source', 'varchar'], ['target', 'varchar'], ['wei', 'uint256']], ['a', 'b', '9007199254740993'], ['b', 'c', '5'], ['a', 'b', '1']);
const ways = result([['kind', 'varchar'], ['purpose', 'varchar'], ['outcome', 'varchar'], ['n', 'int']], ['legacy', 'payment', 'ok', 3], ['blob', 'payment', 'ok', 2]);
const flows = (from: typeof links, change: Partial<SankeyOptions> = {}) => modelOf(transform(from, { ...defaults(from), ...change })).flows.map((flow) => [nameOfKey(flow.source), nameOfKey(flow.target), digits(flow.value)]);
const problem = (from: typeof links, change: Partial<SankeyOptions> = {}) => problemOf(transform(from, { ...defaults(from), ...change }));

describe('sankey', () => {
  it('adds up links of one way, exactly', () => {
    expect(defaults(links)).toMatchObject({ layout: 'links', source: 'source', target: 'target', value: 'wei' });
    expect(flows(links)).toEqual([['a', 'b', '9007199254740994'], ['b', 'c', '5']]);
    expect(flows(swapped(links, 'wei', 0, 1))).not.toEqual(flows(links));
  });
  it('follows ways through stages', () => {
    expect(defaults(ways)).toMatchObject({ layout: 'stages', stages: ['kind', 'purpose', 'outcome'], value: 'n' });
    expect(flows(ways)).toEqual([['legacy', 'payment', '3'], ['payment', 'ok', '5'], ['blob', 'payment', '2']]);
    expect(problemOf(transform(ways, { ...defaults(ways), stages: ['kind', 'kind'] }))).toEqual({ code: 'columnTwice', values: { column: 'kind' } });
  });
  it('lists a ring and takes it apart where asked', () => {
    const ring = { ...links, rows: [...links.rows, ['c', 'a', '2']] };
    expect(problem(ring)).toEqual({ code: 'sankeyCycle', values: { cycle: 'a → b → c → a' } });
    expect(flows(ring, { splitEnds: true })).toContainEqual(['c', 'a', '2']);
  });
  it('names negative values and what is left out', () => {
    expect(problem({ ...links, rows: [['a', 'b', '-1']] })).toEqual({ code: 'negativeLink', values: { source: 'a', target: 'b' } });
    expect(problem({ ...links, rows: [['a', null, '1']] })).toEqual({ code: 'noLinks' });
    expect(modelOf(transform(links, { ...defaults(links), limit: 1 })).notes).toContainEqual({ code: 'linksCut', values: { drawn: 1, left: 1, rest: '5' } });
  });
});
