import { NavigationType } from 'react-router';
import { expect, it } from 'vitest';
import { staysInVisit } from './scroll';

const { Pop, Push, Replace } = NavigationType;

it('leaves readers where they are when they choose a tab or a filter, and when they go back to before they did', () => {
  expect(staysInVisit('a1', 'a2', Push, true)).toBe(true);
  expect(staysInVisit('a2', 'a3', Replace, false)).toBe(true);
  expect(staysInVisit('a3', 'a1', Pop, false)).toBe(true);
  expect(staysInVisit('a1', 'a3', Pop, false)).toBe(true);
});

it('leads to the top of what is another place though its path is the same, there and back', () => {
  expect(staysInVisit('b1', 'b2', Push, false)).toBe(false);
  expect(staysInVisit('b2', 'b3', Push, true)).toBe(true);
  expect(staysInVisit('b3', 'b1', Pop, false)).toBe(false);
  expect(staysInVisit('b1', 'b2', Pop, false)).toBe(false);
  // Of before a reload nothing is known.
  expect(staysInVisit('b2', 'long ago', Pop, false)).toBe(false);
});
