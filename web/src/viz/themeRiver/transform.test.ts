import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type ThemeRiverOptions } from './options';
import { transform } from './transform';

const table = result([['week', 'date'], ['token', 'varchar'], ['n', 'bigint']], ['2026-11-09', 'USD', '7'], ['2026-11-02', 'USD', '5'], ['2026-11-02', 'EUR', '1']);
const streams = (from = table) => modelOf(transform(from, defaults(from))).series.map((series) => [series.name, series.values.map(digits)]);
const problem = (from: typeof table, change: Partial<ThemeRiverOptions> = {}) => problemOf(transform(from, { ...defaults(from), ...change }));

describe('theme river', () => {
  it('makes a stream of each name over sorted time', () => {
    expect(streams()).toEqual([['USD', ['5', '7']], ['EUR', ['1', '0']]]);
    expect(streams(swapped(table, 'n', 0, 1))).not.toEqual(streams());
  });
  it('needs time, name and a value that is not negative', () => {
    expect(problem(table, { time: '' })).toEqual({ code: 'columnUnset', part: 'time' });
    expect(problem(table, { name: '' })).toEqual({ code: 'columnUnset', part: 'name' });
    expect(problem(table, { value: '' })).toEqual({ code: 'columnUnset', part: 'value' });
    expect(problem(table, { time: 'token', name: 'week' })).toEqual({ code: 'needTime', values: { column: 'token' } });
    expect(problem({ ...table, rows: table.rows.slice(1) })).toEqual({ code: 'fewPeriods' });
    expect(problem({ ...table, rows: [['2026-11-02', 'USD', '-1'], ['2026-11-09', 'USD', '1']] })).toEqual({ code: 'negative', values: { name: 'USD' } });
  });
});
