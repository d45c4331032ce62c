import { expect, it } from 'vitest';
import { written } from './types';

it('a sentence goes by the number that counts, and shows it as people read it', () => {
  expect(written({ count: 1 })).toEqual({ count: 1, counted: '1' });
  expect(written({ drawn: 5_000, left: 1_200, rest: '7' })).toEqual({ drawn: '5,000', left: '1,200', rest: '7', count: 1_200, counted: '1,200' });
  expect(written({ column: 'gas', most: 60 })).toEqual({ column: 'gas', most: '60' });
});
