import { expect, it } from 'vitest';
import { nameLabels, widthOf } from './axis-names';
import { look } from './fixture';

const names = Array.from({ length: 9 }, (_, at) => `token_transfers ${at}`);

it('names are level where they have room, turned where each has a line, and cut where only some are told', () => {
  expect(nameLabels(names, look, 1_500)).toEqual({});
  expect(nameLabels(names, look, 400)).toMatchObject({ rotate: 35, interval: 0 });
  expect(nameLabels(names, look, 100)).toEqual({ width: 40, overflow: 'truncate' });
});

it('Chinese is wider than it is long', () => {
  expect(widthOf('交易', 12)).toBe(24);
  expect(widthOf('ab', 12)).toBeLessThan(16);
});
