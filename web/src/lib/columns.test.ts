import { describe, expect, it } from 'vitest';
import { classOf, compareCells, formatCell, fullText, hintOf, type Cell } from './columns';

describe('columns', () => {
  it('hints at what a cell does not show, and at no more than can be read', () => {
    expect(hintOf('short', 'short')).toBeNull();
    expect(hintOf(null, 'null')).toBeNull();
    expect(hintOf('1234567', '1.23M')).toBe('1234567');
    expect(hintOf('x'.repeat(100), 'x'.repeat(100))).toBe('x'.repeat(100));
    expect(hintOf('x'.repeat(1_000_000), 'x…')?.length).toBeLessThan(2_000);
  });

  it.each([
    ['bigint', 'integer'], ['int', 'integer'], ['uint256', 'integer'], ['decimal(38,0)', 'integer'], ['decimal(38,18)', 'decimal'], ['double', 'float'],
    ['varchar', 'text'], ['boolean', 'boolean'], ['timestamp', 'time'], ['date', 'time'], ['address', 'address'], ['hash', 'hash'], ['bytes', 'bytes'],
    ['array(int)', 'nested'], ['struct', 'nested'], ['interval', 'text'],
  ])('%s is %s', (type, kind) => expect(classOf(type)).toBe(kind));

  it('writes numbers exactly in each format', () => {
    const wei = '1234567000000000000000001';
    expect(formatCell(wei, 'decimal(38,0)', 'grouped')).toBe('1,234,567,000,000,000,000,000,001');
    expect(formatCell(wei, 'decimal(38,0)', 'eth')).toBe('1,234,567.000000000000000001 ETH');
    expect(formatCell('250000000000', 'bigint', 'gwei')).toBe('250 gwei');
    expect(formatCell('1620000', 'bigint', 'compact')).toBe('1.62M');
    expect(formatCell('1620000', 'bigint', 'plain')).toBe('1620000');
    expect(formatCell('0.21845', 'decimal(38,18)', 'percent')).toBe('21.845%');
    expect(formatCell(3, 'int', 'percent')).toBe('300%');
    expect(formatCell('NaN', 'double', 'grouped')).toBe('NaN');
  });

  it('writes floats that are far from 1 with their exponent, and only those', () => {
    const texts = ['-1.5e300', '2.5e-12', '1.2e26', '0.000001', '0'].map((value) => formatCell(value, 'double', 'grouped'));
    expect(texts).toEqual(['−1.5e300', '2.5e−12', '120,000,000,000,000,000,000,000,000', '0.000001', '0']);
    expect(formatCell('1' + '0'.repeat(40), 'uint256', 'grouped')).not.toContain('e');
  });

  it('shortens addresses for the eye and never for the copy', () => {
    const address = '0x28c6c06298d514db089934071355e5743bf21d60';
    expect(formatCell(address, 'address', 'grouped')).toBe('0x28c6…1d60');
    expect(fullText(address)).toBe(address);
  });

  it('tells null from 0, empty and false', () => {
    expect([null, 0, '', false].map((value) => formatCell(value, 'varchar', 'grouped'))).toEqual(['null', '0', '', 'false']);
  });

  it('sorts long integers by value with nulls last', () => {
    const rows: Cell[] = [null, '9007199254740993', '-5', '9007199254740992', 7];
    expect(rows.sort((a, b) => compareCells(a, b, 'bigint'))).toEqual(['-5', 7, '9007199254740992', '9007199254740993', null]);
    expect(['b', 'a'].sort((a, b) => compareCells(a, b, 'varchar'))).toEqual(['a', 'b']);
  });
});
