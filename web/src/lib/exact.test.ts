import { describe, expect, it } from 'vitest';
import { addExact, compactExact, compactTo, compareExact, drawExact, groupExact, parseExact, plainExact, ratioExact, roundExact, shiftDown, subtractExact, sumExact, timesExact, toPlaces, trimExact, type Exact } from './exact';

const exact = (text: string | number): Exact => {
  const value = parseExact(text);
  if (!value) throw new Error(`not a number: ${text}`);
  return value;
};
const MAX = '115792089237316195423570985008687907853269984665640564039457584007913129639935';

describe('exact numbers', () => {
  it('reads plain, signed, fractional and scientific text and refuses the rest', () => {
    expect(plainExact(exact('-12.50'))).toBe('-12.50');
    expect(plainExact(exact('1.5e3'))).toBe('1500');
    expect(plainExact(exact('25e-4'))).toBe('0.0025');
    expect(plainExact(exact(1e21))).toBe('1000000000000000000000');
    for (const text of ['', 'NaN', 'Infinity', '0x10', '1,000', '1 2', null, undefined, true]) expect(parseExact(text)).toBeNull();
  });

  it('keeps 2^256 - 1 digit for digit', () => {
    expect(plainExact(exact(MAX))).toBe(MAX);
    expect(groupExact(exact(MAX)).replaceAll(',', '')).toBe(MAX);
  });

  it('orders by value, not by text', () => {
    const sorted = ['10', '9', '-3', '9.0000000000000000001', '9007199254740993', '9007199254740992'].sort((a, b) => compareExact(exact(a), exact(b)));
    expect(sorted).toEqual(['-3', '9', '9.0000000000000000001', '10', '9007199254740992', '9007199254740993']);
  });

  it('turns 1 wei into ETH without losing it', () => {
    expect(plainExact(shiftDown(exact('1'), 18))).toBe('0.000000000000000001');
    expect(plainExact(trimExact(shiftDown(exact('1500000000000000000'), 18)))).toBe('1.5');
  });

  it('groups thousands and writes a true minus sign', () => {
    expect(groupExact(exact('-1234567.8900'))).toBe('−1,234,567.8900');
    expect(groupExact(exact('999'))).toBe('999');
  });

  it('adds, subtracts, multiplies and divides without a float', () => {
    expect(plainExact(sumExact([exact('9007199254740993'), exact('0.1'), exact('0.2')]))).toBe('9007199254740993.3');
    expect(plainExact(subtractExact(exact('1'), exact('0.000000000000000001')))).toBe('0.999999999999999999');
    expect(plainExact(timesExact(exact('-0.25'), 3n))).toBe('-0.75');
    const ratio = (a: string, b: string, places: number) => {
      const value = ratioExact(exact(a), exact(b), places);
      return value && plainExact(value);
    };
    expect([ratio('1', '3', 4), ratio('2', '3', 4), ratio('-1', '8', 2), ratio('9007199254740993', '9007199254740992', 16), ratio('1', '0', 2)]).toEqual(['0.3333', '0.6667', '-0.13', '1.0000000000000001', null]);
  });

  it('rounds halves away from zero', () => {
    expect(plainExact(roundExact(exact('2.345'), 2))).toBe('2.35');
    expect(plainExact(roundExact(exact('-2.345'), 2))).toBe('-2.35');
    expect(plainExact(roundExact(exact('0.5'), 0))).toBe('1');
  });

  it('adds without carrying errors', () => {
    expect(plainExact(addExact(exact('0.1'), exact('0.2')))).toBe('0.3');
  });

  it.each([
    ['0', '0'], ['9999', '9,999'], ['10000', '10k'], ['887086', '887k'], ['1620000', '1.62M'], ['2910000000', '2.91B'], ['-45000', '−45k'],
    ['0.12345', '0.1235'], ['123.456', '123.46'], ['1999600', '2M'], ['-999999', '−1M'], ['1500000000000000000', '1.5×10¹⁸'], ['-999999999999999999999', '−1×10²¹'],
    ['0.0001', '0.0001'], ['0.00001234', '1.23×10⁻⁵'], ['-0.000000000999999', '−1×10⁻⁹'], ['0.000', '0'],
  ])('writes %s compactly', (text, compact) => {
    expect(compactExact(exact(text))).toBe(compact);
  });

  it.each([
    ['1234567', 1, '1.2M'], ['1234567', 0, '1M'], ['999999', 1, '1.0M'], ['-999950', 1, '−1.0M'], ['999949', 1, '999.9k'], ['9999', 2, '9,999.00'], ['10000', 2, '10.00k'], ['0.5', 2, '0.50'],
    ['999999999999999', 0, '1,000T'], ['1500000000000000000', 2, '1.5×10¹⁸'],
  ])('writes %s compactly with %i decimals', (text, decimals, compact) => {
    expect(compactTo(exact(text), decimals)).toBe(compact);
  });

  it('fills up or rounds to so many places', () => {
    expect([toPlaces(exact('5'), 2), toPlaces(exact('-2.345'), 2), toPlaces(exact(MAX), 1)].map(plainExact)).toEqual(['5.00', '-2.35', `${MAX}.0`]);
    expect([toPlaces(exact('5'), 1e9).scale, toPlaces(exact('5.5'), 1.7).scale]).toEqual([100, 1]);
  });

  it('says when a number had to be rounded for drawing', () => {
    expect(drawExact(exact('9007199254740992'))).toEqual({ value: 9007199254740992, rounded: false });
    expect(drawExact(exact('9007199254740993')).rounded).toBe(true);
    expect(drawExact(exact('0.1'))).toEqual({ value: 0.1, rounded: false });
    expect(drawExact(exact('1.000000000000000001')).rounded).toBe(true);
  });
});
