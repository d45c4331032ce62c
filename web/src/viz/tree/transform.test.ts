import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type TreeOptions } from './options';
import { transform, type Branch } from './transform';

const ids = result([['id', 'varchar'], ['parent_id', 'varchar'], ['name', 'varchar'], ['gas', 'bigint']], ['c', 'a', 'leaf', '3'], ['a', null, 'root', '10'], ['d', 'c', 'deep', '1']);
const paths = result([['standard', 'varchar'], ['token', 'varchar'], ['n', 'bigint']], ['erc20', 'USD', '5'], ['erc721', 'Cats', '2'], ['erc20', 'EUR', '4']);
const shape = (node: Branch): unknown => [node.name, digits(node.value), node.children.map(shape)];
const draw = (from: typeof ids, change: Partial<TreeOptions> = {}) => shape(modelOf(transform(from, { ...defaults(from), ...change })).root);
const problem = (from: typeof ids, change: Partial<TreeOptions> = {}) => problemOf(transform(from, { ...defaults(from), ...change }));

describe('tree', () => {
  it('hangs ids below their parents', () => {
    expect(defaults(ids)).toMatchObject({ layout: 'ids', id: 'id', parent: 'parent_id', name: 'name', value: 'gas' });
    expect(draw(ids)).toEqual(['root', '10', [['leaf', '3', [['deep', '1', []]]]]]);
    expect(draw(swapped(ids, 'gas', 0, 2))).not.toEqual(draw(ids));
  });
  it('joins paths below one root and adds them up', () => {
    expect(draw(paths)).toEqual(['', null, [['erc20', '9', [['USD', '5', []], ['EUR', '4', []]]], ['erc721', '2', [['Cats', '2', []]]]]]);
  });
  it('names missing parents, several roots, rings and offers one root', () => {
    const with_ = (...rows: (string | null)[][]) => ({ ...ids, rows: [...ids.rows, ...rows], total: 0 });
    expect(problem(with_(['x', 'gone', 'x', '1']))).toEqual({ code: 'parentMissing', values: { id: 'x', parent: 'gone' } });
    expect(problem(with_(['x', null, 'second', '1']))).toEqual({ code: 'severalRoots', values: { roots: 2, names: 'root, second' } });
    expect(problem(with_(['x', 'y', 'x', '1'], ['y', 'x', 'y', '1']))).toEqual({ code: 'treeCycle', values: { cycle: 'x → y → x' } });
    expect(problem(with_(['x', 'gone', 'x', '1']), { joinRoots: true })).toBeNull();
    expect(modelOf(transform(with_(['x', 'gone', 'x', '1']), { ...defaults(ids), joinRoots: true })).notes).toEqual([{ code: 'orphans', values: { count: 1 } }]);
    expect(problem(with_(['c', 'a', 'again', '1']))).toEqual({ code: 'duplicateName', values: { name: 'c' } });
    expect(problem(paths, { path: [] })).toEqual({ code: 'columnUnset', part: 'path' });
  });
});
