import { expect, it } from 'vitest';
import { optionsOf } from './query-options';

it('options are the first column, each once, without nulls', () => {
  expect(optionsOf([['USDC', 1], ['WETH', 2], [null, 3], ['USDC', 4], [7, 5], ['', 6], []])).toEqual(['USDC', 'WETH', '7']);
});
