import { expect, it } from 'vitest';
import { parseExact } from '@/lib/exact';
import { digits } from '../fixture';
import { folded, openLevels } from './draw';
import type { Branch } from './transform';

const branch = (name: string, ...children: Branch[]): Branch => ({ name, value: parseExact(1), children });
const leaves = (count: number, name = 'leaf') => Array.from({ length: count }, (_, at) => branch(`${name} ${at}`));

it('branches without room become one that adds them up', () => {
  const { children } = folded(branch('root', ...leaves(3_000)), 100);
  expect(children).toHaveLength(100);
  expect([children[98]?.branch.name, children[99]?.branch.name, digits(children[99]?.branch.value ?? null)]).toEqual(['leaf 98', '+2,901', '2901']);
  expect(folded(branch('root', ...leaves(100)), 100).children.map((one) => one.branch.name)).toEqual(leaves(100).map(({ name }) => name));
});

it('a level is open when its ends and those of the levels before it have room', () => {
  const root = branch('root', ...leaves(4), branch('fork', ...leaves(6), branch('deep', ...leaves(50))));
  const open = (wanted: number, room: number) => openLevels(folded(root, 60), wanted, room);
  expect([open(3, 60), open(3, 59), open(2, 60), open(2, 11), open(2, 10), open(9, 60)]).toEqual([3, 2, 2, 2, 1, 3]);
});
