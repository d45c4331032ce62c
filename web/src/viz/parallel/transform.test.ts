import { describe, expect, it } from 'vitest';
import { modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type ParallelOptions } from './options';
import { transform } from './transform';

const table = result([['kind', 'varchar'], ['gas', 'bigint'], ['day', 'date'], ['fee', 'bigint']], ['a', '9007199254740993', '2026-11-01', '3'], ['b', '2', '2026-11-02', '0']);
const lines = (from = table, change: Partial<ParallelOptions> = {}) => modelOf(transform(from, { ...defaults(from), ...change })).bundles.map((bundle) => [bundle.name, bundle.lines.map((line) => line.texts)]);

describe('parallel', () => {
  it('leads every row across its axes, every digit in the texts', () => {
    expect(defaults(table).dimensions).toEqual(['kind', 'gas', 'day', 'fee']);
    expect(lines()).toEqual([['a', [['a', '9,007,199,254,740,993', '2026-11-01', '3']]], ['b', [['b', '2', '2026-11-02', '0']]]]);
    expect(modelOf(transform(table, defaults(table))).axes.map((axis) => axis.type)).toEqual(['category', 'value', 'time', 'value']);
    expect(lines(swapped(table, 'fee', 0, 1))).not.toEqual(lines());
  });
  it('leaves out what has no place on an axis, samples long results, and says so', () => {
    expect(modelOf(transform(table, { ...defaults(table), logarithmic: ['fee'] })).notes).toContainEqual({ code: 'linesLeftOut', values: { count: 1 } });
    const long = result([['x', 'int'], ['y', 'int']], ...Array.from({ length: 100_000 }, (_, at) => [at, at]));
    expect(modelOf(transform(long, defaults(long))).notes).toEqual([{ code: 'sampled', values: { drawn: 5_000, all: 100_000 } }]);
  });
  it('names what is wrong', () => {
    expect(problemOf(transform(table, { ...defaults(table), dimensions: ['gas'] }))).toEqual({ code: 'fewDimensions' });
    const names = result([['n', 'int'], ['who', 'varchar']], ...Array.from({ length: 61 }, (_, at) => [at, `w${at}`]));
    expect(problemOf(transform(names, { ...defaults(names), dimensions: ['n', 'who'], group: '' }))).toMatchObject({ code: 'tooManyCategories', values: { column: 'who' } });
  });
});
