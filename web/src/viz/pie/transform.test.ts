import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type PieOptions } from './options';
import { transform } from './transform';

const table = result([['project', 'varchar'], ['volume', 'decimal(38,0)']], ['Curve', '1'], ['Uniswap', '6'], ['Fluid', '3'], ['Curve', '2']);
const slices = (change: Partial<PieOptions> = {}, from = table) => modelOf(transform(from, { ...defaults(from), ...change })).slices.map((slice) => [slice.other ? 'OTHER' : slice.name, digits(slice.value), digits(slice.share)]);
const problem = (from: typeof table, change: Partial<PieOptions> = {}) => problemOf(transform(from, { ...defaults(from), ...change }));

describe('pie', () => {
  it('takes the category and the number, adds up one name, the largest first', () => {
    expect(slices()).toEqual([['Uniswap', '6', '50.00'], ['Curve', '3', '25.00'], ['Fluid', '3', '25.00']]);
    expect(slices({}, swapped(table, 'volume', 0, 1))).not.toEqual(slices());
  });
  it('adds up what the limits cut off, exactly', () => {
    const many = result([['who', 'varchar'], ['wei', 'uint256']], ['a', '90071992547409930'], ['b', '9007199254740993'], ['c', '2'], ['d', '1']);
    expect(slices({ top: 2 }, many)).toEqual([['a', '90071992547409930', '90.91'], ['b', '9007199254740993', '9.09'], ['OTHER', '3', '0.00']]);
    expect(slices({ minShare: 1 }, many).at(-1)).toEqual(['OTHER', '3', '0.00']);
    expect(slices({ minShare: 1, top: 1 }, many)).toEqual([['a', '90071992547409930', '90.91'], ['OTHER', '9007199254740996', '9.09']]);
  });
  it('says how many names the rest holds', () => {
    const many = result([['who', 'varchar'], ['n', 'int']], ...Array.from({ length: 5_000 }, (_, at) => [`w${at % 2_500}`, '1']));
    expect(modelOf(transform(many, { ...defaults(many), category: 'who' })).slices.map((slice) => slice.names)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2_491]);
    expect(problem(result([['who', 'varchar'], ['n', 'int']], ['a', null]), { category: 'who', value: 'n' })).toEqual({ code: 'notNumber', values: { column: 'n' } });
  });
  it('names what is wrong', () => {
    const one = (value: string) => result([['who', 'varchar'], ['n', 'int']], ['a', value], ['b', '0']);
    expect(problem(one('-1'))).toEqual({ code: 'negative', values: { name: 'a' } });
    expect(problem(one('0'))).toEqual({ code: 'allZero' });
    expect(problem(table, { combine: 'refuse' })).toEqual({ code: 'duplicateName', values: { name: 'Curve' } });
    expect(problem(table, { category: '' })).toEqual({ code: 'columnUnset', part: 'category' });
    expect(problem(result([['who', 'varchar'], ['n', 'int']], ...Array.from({ length: 101 }, (_, at) => [`w${at}`, '1'])), { top: 0, category: 'who' })).toMatchObject({ code: 'tooManySlices' });
  });
});
