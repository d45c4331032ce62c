import { expect, it } from 'vitest';
import { sidesOf as placed, type Named } from './names';
import type { Ends } from './layout';

const card = { width: 400, height: 200, fontSize: 12 };
const node = (x: number, y: number, name = 'a name'): Named => ({ x, y, radius: 8, names: name === '' ? [] : [name] });
const sidesOf = (nodes: Named[], links: Ends[], room: typeof card) => placed(nodes, links, room).map((told) => told?.side ?? null);

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

it('a name is cut before it is left out or covers a node', () => {
  const cut = { x: 50, y: 50, radius: 8, names: ['a name as long as the card is wide', 'a name'] };
  expect(placed([cut], [], { ...card, width: 120 })[0]?.name).toBe('a name');
  const [first] = placed([{ x: 10, y: 30, radius: 8, names: ['a long name', 'long'] }, node(75, 30, '')], [], { width: 200, height: 40, fontSize: 12 });
  expect(first).toMatchObject({ side: 'right', name: 'long' });
});

it('only the name of a larger node may cover another one', () => {
  const between = [node(100, 70, ''), node(100, 130, ''), node(60, 100, ''), node(140, 100, '')];
  expect(sidesOf([node(100, 100, 'a longer name'), ...between], [], card)[0]).toBeNull();
  expect(sidesOf([{ x: 100, y: 100, radius: 20, names: ['a longer name'] }, ...between], [], card)[0]).not.toBeNull();
});
