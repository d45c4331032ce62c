import { expect, it } from 'vitest';
import { sidesOf, type Named } from './names';

const card = { width: 400, height: 200, fontSize: 12 };
const node = (x: number, y: number, name = 'a name'): Named => ({ x, y, radius: 8, name });

it('a name stands to the right where nothing is in its way', () => {
  expect(sidesOf([node(100, 100)], [], card)).toEqual(['right']);
});

it('no name reaches over the edge of the card', () => {
  expect(sidesOf([node(390, 100), node(200, 197), node(10, 12)], [], card)).toEqual(['left', 'top', 'right']);
  expect(sidesOf([node(30, 100)], [], { ...card, width: 60 })).toEqual(['bottom']);
});

it('a name gives way to nodes, to names before it, and to the links of its node', () => {
  expect(sidesOf([node(100, 100), node(130, 100, '')], [], card)).toEqual(['left', null]);
  expect(sidesOf([node(100, 100), node(160, 100)], [], card)[1]).toBe('right');
  expect(sidesOf([node(100, 100), node(300, 100)], [[0, 1]], card)).toEqual(['left', 'right']);
});

it('a name that no side has room for is left out, as is one that is not wanted', () => {
  expect(sidesOf([node(50, 10, 'a name as long as the card is wide')], [], { ...card, width: 100 })).toEqual([null]);
  expect(sidesOf([node(100, 100, '')], [], card)).toEqual([null]);
});
