import { expect, it } from 'vitest';
import { withPermission } from './matrix';

it('adds a permission once and takes away only that one', () => {
  expect(withPermission(['a', 'b'], 'b', true)).toEqual(['a', 'b']);
  expect(withPermission(['a'], 'c', true)).toEqual(['a', 'c']);
  expect(withPermission(['a', 'b', 'c'], 'b', false)).toEqual(['a', 'c']);
});
