import { describe, expect, it } from 'vitest';
import { defaults } from './options';
import { transform } from './transform';

const table = { columns: [{ name: 'a', type: 'int' }, { name: 'b', type: 'varchar' }, { name: 'c', type: 'bigint' }], rows: [[1, 'x', '2']], total: 1 };
const column = (name: string, change = {}) => ({ name, title: '', hidden: false, format: 'grouped' as const, ...change });

describe('table', () => {
  it('shows all columns as they are', () => {
    const outcome = transform(table, defaults(table));
    expect(outcome.ok && outcome.model.map(({ name, type, index, title }) => [name, type, index, title])).toEqual([['a', 'int', 0, 'a'], ['b', 'varchar', 1, 'b'], ['c', 'bigint', 2, 'c']]);
  });

  it('keeps order, titles, formats and what is hidden, and points each column at its own cells', () => {
    const outcome = transform(table, { columns: [column('c', { title: 'Third', format: 'eth' }), column('b', { hidden: true }), column('a')] });
    expect(outcome.ok && outcome.model).toEqual([
      { name: 'c', type: 'bigint', index: 2, title: 'Third', format: 'eth' },
      { name: 'a', type: 'int', index: 0, title: 'a', format: 'grouped' },
    ]);
  });

  it('follows a query that lost and gained columns', () => {
    const outcome = transform(table, { columns: [column('gone'), column('b')] });
    expect(outcome.ok && outcome.model.map(({ name }) => name)).toEqual(['b', 'a', 'c']);
  });

  it('refuses to hide everything and an empty result', () => {
    expect(transform(table, { columns: ['a', 'b', 'c'].map((name) => column(name, { hidden: true })) })).toEqual({ ok: false, problem: { code: 'allHidden' } });
    expect(transform({ ...table, total: 0, rows: [] }, defaults(table))).toMatchObject({ ok: false, problem: { code: 'noRows' } });
  });
});
