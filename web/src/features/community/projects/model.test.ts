import { expect, it } from 'vitest';
import { moved } from './model';

it('moves an entry and keeps the order of the others', () => {
  expect(moved(['a', 'b', 'c', 'd'], 2, -1)).toEqual(['a', 'c', 'b', 'd']);
  expect(moved(['a', 'b', 'c', 'd'], 0, 1)).toEqual(['b', 'a', 'c', 'd']);
});

it('stops at the ends', () => {
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(moved(['a', 'b'], 0, 9)).toEqual(['b', 'a']);
});
