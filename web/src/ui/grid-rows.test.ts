import { describe, expect, it } from 'vitest';
import type { Cell } from '@/lib/columns';
import { rowSource, sortRows, tabSeparated } from './grid-rows';

const rows = (...cells: Cell[]) => cells.map((cell, number) => ({ number, cells: [cell] }));
const values = (list: { cells: readonly Cell[] }[]) => list.map(({ cells }) => cells[0]);

describe('grid rows', () => {
  it('sorts exactly, nulls last both ways, equal rows in their own order', () => {
    const given = rows('9007199254740993', null, '9007199254740992', '10');
    expect(values(sortRows(given, { index: 0, type: 'bigint', descending: false }))).toEqual(['10', '9007199254740992', '9007199254740993', null]);
    expect(values(sortRows(given, { index: 0, type: 'bigint', descending: true }))).toEqual(['9007199254740993', '9007199254740992', '10', null]);
    const equal = sortRows(rows('a', 'a', 'b'), { index: 0, type: 'varchar', descending: true });
    expect(equal.map(({ number }) => number)).toEqual([2, 0, 1]);
  });

  it('reads single pages until an order is asked for, then every row once', async () => {
    const asked: [number, number][] = [];
    const source = rowSource((offset, limit) => {
      asked.push([offset, limit]);
      return Promise.resolve(Array.from({ length: limit }, (_, index) => [String(offset + index)]));
    }, 12_000);
    source.look(200, 203);
    expect(values(await source.read(200, 203, null))).toEqual(['200', '201', '202']);
    // The page they are on, and those around it.
    expect(asked.map(([offset]) => offset).sort((a, b) => a - b)).toEqual([0, 200, 400, 600]);
    asked.length = 0;
    const order = { index: 0, type: 'bigint', descending: true };
    expect(values(await source.read(0, 2, order))).toEqual(['11999', '11998']);
    expect(values(await source.read(11_999, 12_000, order))).toEqual(['0']);
    expect(asked).toEqual([[0, 5_000], [5_000, 5_000], [10_000, 2_000]]);
  });

  it('reads on where a page of long rows comes in parts', async () => {
    const asked: [number, number][] = [];
    const source = rowSource((offset, limit) => {
      asked.push([offset, limit]);
      return Promise.resolve(Array.from({ length: Math.min(limit, 3) }, (_, index) => [String(offset + index)]));
    }, 7);
    source.look(0, 7);
    expect(values(await source.read(0, 7, null))).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect(asked).toEqual([[0, 7], [3, 4], [6, 1]]);
  });

  it('adds up a column over all rows, exactly, leaving out what is no number', async () => {
    const cells: Cell[] = ['9007199254740993', null, '0.000000000000000001', '-3'];
    const source = rowSource((offset, limit) => Promise.resolve(cells.slice(offset, offset + limit).map((cell) => ['x', cell])), cells.length);
    expect(await source.sum(1)).toBe('9007199254740990.000000000000000001');
  });

  it('tries again after a failed load', async () => {
    let broken = true;
    const source = rowSource((_, limit) => (broken ? Promise.reject(new Error('gone')) : Promise.resolve(Array.from({ length: limit }, () => ['1']))), 3);
    const order = { index: 0, type: 'bigint', descending: false };
    await expect(source.read(0, 3, order)).rejects.toThrow('gone');
    broken = false;
    await expect(source.read(0, 3, order)).resolves.toHaveLength(3);
  });

  it('reads on after it was stopped, as a page does that was hidden and comes back', async () => {
    const source = rowSource((offset, _, signal) => (signal.aborted ? Promise.reject(new Error('stopped')) : Promise.resolve([[String(offset)]])), 1_000_000);
    source.stop();
    expect(values(await source.read(400, 401, null))).toEqual(['400']);
  });

  it('copies whole values under their names', () => {
    const columns = [{ name: 'a', index: 1 }, { name: 'b', index: 0 }];
    expect(tabSeparated(columns, [{ number: 1, cells: ['two\nlines', null] }, { number: 0, cells: ['x', '1000'] }])).toBe('a\tb\n1000\tx\n\ttwo lines');
  });
});
