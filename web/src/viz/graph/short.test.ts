import { expect, it } from 'vitest';
import { short } from './short';

it('names that begin alike keep their ends', () => {
  const { signs } = short(['Holder with a long name 1', 'Holder with a long name 2', 'The router of all exchanges']);
  expect([0, 1, 2].map((index) => signs(index, 10))).toEqual(['Holde…me 1', 'Holde…me 2', 'The route…']);
});

it('what has room stays whole', () => {
  const { signs, pixels } = short(['exchange', '持有大量代币的地址']);
  expect([signs(0, 18), signs(1, 9)]).toEqual(['exchange', '持有大量代币的地址']);
  expect(pixels(0, 200, 12, 18)).toBe('exchange');
});

it('signs of Chinese need twice the room', () => {
  const { pixels } = short(['abcdefghijkl', '持有大量代币的地址']);
  expect([pixels(0, 60, 12, 18), pixels(1, 60, 12, 18)]).toEqual(['abcdefg…', '持有大量…']);
});

it('addresses have their short form', () => {
  const { signs } = short(['0x28c6c06298d514db089934071355e5743bf21d60']);
  expect(signs(0, 18)).toBe('0x28c6…1d60');
  // Its dots are not told twice.
  expect(signs(0, 8)).toBe('0x28c6…');
});
