import { expect, it, vi } from 'vitest';
import { allRows } from './all-rows';

const columns = [{ name: 'n', type: 'int' }];
const row = (at: number) => [at];
const result = (total: number, loaded: number, served = total) => {
  const fetchRows = vi.fn((offset: number, limit: number) => Promise.resolve(Array.from({ length: Math.max(0, Math.min(limit, served - offset)) }, (_, at) => row(offset + at))));
  return { columns, rows: Array.from({ length: loaded }, (_, at) => row(at)), total, pages: { source: 's', fetchRows } };
};

it('goes on where the loaded rows end, until all are here', async () => {
  const table = result(25_000, 1_000);
  const rows = await allRows(table);
  expect([rows.length, rows[999], rows[1_000], rows.at(-1)]).toEqual([25_000, [999], [1_000], [24_999]]);
  expect(table.pages.fetchRows.mock.calls.map(([offset, limit]) => [offset, limit])).toEqual([[1_000, 10_000], [11_000, 10_000], [21_000, 4_000]]);
});

it('asks for nothing when the rows are here', async () => {
  const table = result(3, 3);
  expect(await allRows(table)).toBe(table.rows);
  expect(await allRows({ columns, rows: [[1]], total: 9 })).toEqual([[1]]);
  expect(table.pages.fetchRows).not.toHaveBeenCalled();
});

it('fails where rows are missing', async () => {
  await expect(allRows(result(5_000, 1_000, 2_000))).rejects.toThrow('row 2000 of 5000');
});
