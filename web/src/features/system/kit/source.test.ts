import { expect, it } from 'vitest';
import { allRows, type Source } from './source';

const source = (total: number): Source<number> => ({
  key: 'numbers',
  fetch: ({ page, size }) => {
    const start = (Number(page) - 1) * Number(size);
    return Promise.resolve({ items: Array.from({ length: Math.max(0, Math.min(Number(size), total - start)) }, (_, index) => start + index), total });
  },
});

it('reads every page once, in order', async () => {
  const { rows } = await allRows(source(250), { page: 3, size: 20 });
  expect(rows).toEqual(Array.from({ length: 250 }, (_, index) => index));
});

it('ends at the most that a file takes, and at an empty list', async () => {
  const cut = await allRows(source(10_050), {});
  expect([cut.rows.length, cut.total]).toEqual([10_000, 10_050]);
  expect(await allRows(source(0), {})).toEqual({ rows: [], total: 0 });
});
