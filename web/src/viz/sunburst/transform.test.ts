import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { foldedArcs } from './draw';
import { defaults, type SunburstOptions } from './options';
import { transform, type Arc } from './transform';

const paths = result([['standard', 'varchar'], ['token', 'varchar'], ['n', 'bigint']], ['erc721', 'Cats', '2'], ['erc20', 'USD', '9007199254740993'], ['erc20', 'EUR', '4']);
const shape = (arc: Arc): unknown => [arc.name, digits(arc.value), arc.children.map(shape)];
const rings = (from: typeof paths, change: Partial<SunburstOptions> = {}) => modelOf(transform(from, { ...defaults(from), ...change })).arcs.map(shape);

describe('sunburst', () => {
  it('puts parts around their whole, the largest first, and adds up exactly', () => {
    expect(rings(paths)).toEqual([['erc20', '9007199254740997', [['USD', '9007199254740993', []], ['EUR', '4', []]]], ['erc721', '2', [['Cats', '2', []]]]]);
    expect(rings(swapped(paths, 'n', 0, 2))).not.toEqual(rings(paths));
    expect(rings(paths, { path: ['token', 'standard'] })).toEqual([['USD', '9007199254740993', [['erc20', '9007199254740993', []]]], ['EUR', '4', [['erc20', '4', []]]], ['Cats', '2', [['erc721', '2', []]]]]);
    expect(rings(paths, { depth: 1 })).toEqual([['erc20', '9007199254740997', []], ['erc721', '2', []]]);
  });
  it('draws what nobody could see as one part', () => {
    const many = result([['who', 'varchar'], ['n', 'bigint']], ...Array.from({ length: 5_000 }, (_, at) => [`w${at}`, String(at < 3 ? 100_000 : 1)]));
    const { arcs } = modelOf(transform(many, { ...defaults(many), path: ['who'] }));
    const drawn = foldedArcs(arcs, 304_997);
    expect([arcs.length, drawn.length, drawn[0]?.name, drawn.at(-1)?.name, digits(drawn.at(-1)?.value ?? null)]).toEqual([5_000, 51, 'w0', '+4,950', '4950']);
    expect(foldedArcs(arcs.slice(0, 50), 304_997)).toHaveLength(50);
  });
  it('refuses a parent that is smaller than its parts', () => {
    const ids = result([['id', 'varchar'], ['parent', 'varchar'], ['n', 'int']], ['a', null, 3], ['b', 'a', 2], ['c', 'a', 2]);
    expect(problemOf(transform(ids, defaults(ids)))).toEqual({ code: 'parentSmaller', values: { name: 'a', own: '3', sum: '4' } });
  });
  it('refuses negative and empty wholes', () => {
    expect(problemOf(transform(paths, { ...defaults(paths), path: ['token', 'standard', 'token'] }))).toEqual({ code: 'columnTwice', values: { column: 'token' } });
    expect(problemOf(transform({ ...paths, rows: [['a', 'b', '-1']] }, defaults(paths)))).toEqual({ code: 'negative', values: { name: 'b' } });
    expect(problemOf(transform({ ...paths, rows: [['a', 'b', '0']] }, defaults(paths)))).toEqual({ code: 'allZero' });
  });
});
