import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults } from './options';
import { transform } from './transform';

const table = result([['day', 'date'], ['kind', 'varchar'], ['gas', 'bigint']], ['2026-11-02', 'legacy', '5'], ['2026-11-01', 'legacy', '3'], ['2026-11-01', 'blob', '9']);
const drawn = (from = table) => modelOf(transform(from, defaults(from))).series.map((series) => [series.name, series.values.map(digits)]);

describe('area', () => {
  it('stacks groups over sorted time, a missing period as nothing', () => {
    expect(defaults(table)).toMatchObject({ x: 'day', group: 'kind', y: ['gas'], stack: 'stack' });
    expect(drawn()).toEqual([['blob', ['9', '0']], ['legacy', ['3', '5']]]);
    expect(drawn(swapped(table, 'gas', 0, 1))).not.toEqual(drawn());
  });
  it('refuses to stack below zero', () => {
    const negative = result([['day', 'date'], ['n', 'int']], ['2026-11-01', -1]);
    expect(problemOf(transform(negative, defaults(negative)))).toBeNull();
    const options = { ...defaults(negative), stack: 'stack' as const };
    expect(problemOf(transform(negative, options))).toEqual({ code: 'stackNegative', values: { series: 'n' } });
    expect(problemOf(transform(negative, { ...options, stack: 'percent' }))).toMatchObject({ code: 'percentNegative' });
    expect(problemOf(transform(negative, { ...options, stack: 'none' }))).toBeNull();
  });
  it('says what a logarithmic scale leaves out', () => {
    const zero = result([['day', 'date'], ['n', 'int']], ['2026-11-01', 0], ['2026-11-02', 2]);
    expect(modelOf(transform(zero, { ...defaults(zero), stack: 'none', log: true })).notes).toEqual([{ code: 'logHidden', values: { count: 1 } }]);
  });
});
