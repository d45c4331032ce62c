import { describe, expect, it } from 'vitest';
import { blockName, bytes, change, compact, count, decimal, ether, gasPrice, share, shortHex } from './format';

describe('count', () => {
  it('separates thousands without losing a digit', () => {
    expect(count(887086)).toBe('887,086');
    expect(count(999)).toBe('999');
    expect(count('115792089237316195423570985008687907853269984665640564039457584007913129639935')).toBe(
      '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457,584,007,913,129,639,935',
    );
    expect(count(-1234n)).toBe('−1,234');
  });
});

describe('compact', () => {
  it.each([
    [0, '0'],
    [9_999, '9,999'],
    [10_000, '10k'],
    [12_345, '12.3k'],
    [999_999, '1M'],
    [1_623_000, '1.62M'],
    [3_460_000_000, '3.46B'],
    [-1_500_000, '−1.5M'],
  ])('writes %d as %s', (value, text) => expect(compact(value)).toBe(text));
});

describe('wei', () => {
  it('keeps every digit that a float would lose', () => {
    expect(decimal(123456789012345678901234567890n, 18, 18)).toBe('123,456,789,012.34567890123456789');
    expect(decimal(1n, 18, 18)).toBe('0.000000000000000001');
  });

  it.each([
    ['118400000000000000', '0.1184 ETH'],
    ['1000000000000000000', '1 ETH'],
    ['0', '0 ETH'],
    ['250000000000000', '250,000 gwei'],
    ['99999', '99,999 wei'],
    ['100000', '0.0001 gwei'],
    ['-1500000000000000000', '−1.5 ETH'],
    ['999999999999999999999999', '1,000,000 ETH'],
  ])('writes %s wei as %s', (wei, text) => expect(ether(wei)).toBe(text));

  it.each([
    ['840000000', '0.84 gwei'],
    ['4100000', '0.0041 gwei'],
    ['12340000000', '12.3 gwei'],
    ['9996000000', '10.00 gwei'],
    ['7', '7 wei'],
  ])('writes a gas price of %s wei as %s', (wei, text) => {
    const { value, unit } = gasPrice(wei);
    expect(`${value} ${unit}`).toBe(text);
  });
});

describe('the rest', () => {
  it('shortens addresses and hashes to six and four', () => {
    expect(shortHex('0x28c6c06298d514db089934071355e5743bf21d60')).toBe('0x28c6…1d60');
    expect(shortHex('0x38ed1739')).toBe('0x38ed1739');
  });
  it('names blocks', () => expect(blockName(26451318)).toBe('#26,451,318'));
  it('writes shares and changes', () => {
    expect(share(0.2184)).toBe('21.84%');
    expect(change(0.034)).toBe('+3.4%');
    expect(change(-0.0191)).toBe('−1.9%');
    expect(change(0.0001)).toBe('0.0%');
  });
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [999_700, '1 MB'],
    [38_400_000_000, '38.4 GB'],
  ])('writes %d bytes as %s', (value, text) => expect(bytes(value)).toBe(text));
});
