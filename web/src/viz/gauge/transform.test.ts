import { describe, expect, it } from 'vitest';
import { parseExact } from '@/lib/exact';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type GaugeOptions } from './options';
import { niceCeiling, transform } from './transform';

const table = result([['n', 'uint256']], ['9007199254740993'], ['40']);
const gauge = (change: Partial<GaugeOptions> = {}, from = table) => modelOf(transform(from, { ...defaults(from), ...change }));

describe('gauge', () => {
  it('shows the first number up to the next round one', () => {
    const model = gauge();
    expect([digits(model.value), digits(model.min), digits(model.max)]).toEqual(['9007199254740993', '0', '10000000000000000']);
    expect(digits(gauge({}, swapped(table, 'n', 0, 1)).value)).toBe('40');
    expect(digits(gauge({ row: 2 }).max)).toBe('50');
    expect(digits(gauge({ row: 2 }).share)).toBe('80.00');
  });
  it('ends above its value, at 100 for percentages, and below zero for what is below it', () => {
    const ends = (value: string, change: Partial<GaugeOptions> = {}) => {
      const { min, max } = gauge(change, result([[change.value ?? 'n', 'double']], [value]));
      return [digits(min), digits(max)];
    };
    expect(ends('50000')).toEqual(['0', '100000']);
    expect(ends('100')).toEqual(['0', '200']);
    expect(ends('40', { unit: '%' })).toEqual(['0', '100']);
    expect(ends('100', { value: 'percent_full' })).toEqual(['0', '100']);
    expect(ends('0.4', { format: 'percent' })).toEqual(['0', '100']);
    expect(ends('140', { unit: '%' })).toEqual(['0', '200']);
    expect(ends('-30')).toEqual(['-50', '0']);
    expect(ends('40', { target: '100' })).toEqual(['0', '100']);
    expect(ends('-30', { target: '7' })).toEqual(['-50', '10']);
    expect(ends((2n ** 200n).toString())).toEqual(['0', `2${'0'.repeat(60)}`]);
  });
  it.each([['7', '10'], ['10', '20'], ['11', '20'], ['21', '25'], ['26', '50'], ['0.003', '0.005'], ['0', '1'], ['123456789012345678901', '200000000000000000000']])('%s goes up to %s', (value, ceiling) => {
    expect(digits(niceCeiling(parseExact(value) ?? { digits: 0n, scale: 0 }, { digits: 0n, scale: 0 }, true))).toBe(ceiling);
  });
  it('names what is wrong', () => {
    const problem = (change: Partial<GaugeOptions>) => problemOf(transform(table, { ...defaults(table), row: 2, ...change }));
    expect(problem({ max: '30' })).toEqual({ code: 'outsideScale', values: { value: '40', min: '0', max: '30' } });
    expect(problem({ min: '50', max: '50' })).toEqual({ code: 'minAboveMax', values: { min: '50', max: '50' } });
    expect(problem({ max: 'ten' })).toEqual({ code: 'boundNotNumber', values: { text: 'ten' } });
    expect(problem({ row: 3 })).toEqual({ code: 'rowBeyond', values: { row: 3, rows: 2 } });
  });
});
