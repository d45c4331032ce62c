import { describe, expect, it } from 'vitest';
import type { Cell } from '@/lib/columns';
import { defaults } from './options';
import { transform } from './transform';

const table = (columns: [string, string][], ...rows: Cell[][]) => ({ columns: columns.map(([name, type]) => ({ name, type })), rows, total: rows.length });

describe('line', () => {
  it('maps time to x, numbers to y and a small category to the group', () => {
    const plain = table([['txs', 'bigint'], ['day', 'date'], ['gas', 'bigint']], ['1', '2026-11-01', '2']);
    expect(defaults(plain)).toMatchObject({ x: 'day', y: ['txs', 'gas'], group: '' });
    const columns: [string, string][] = [['day', 'date'], ['kind', 'varchar'], ['txs', 'bigint']];
    expect(defaults(table(columns, ['2026-11-01', 'a', '1'], ['2026-11-01', 'b', '2']))).toMatchObject({ x: 'day', y: ['txs'], group: 'kind' });
    // Where every day has one row, a series for each kind would be a single point.
    expect(defaults(table(columns, ['2026-11-01', 'a', '1'], ['2026-11-02', 'b', '2']))).toMatchObject({ x: 'day', y: ['txs'], group: '' });
  });

  it('takes a number that names a thing for x when there is no time', () => {
    expect(defaults(table([['gas', 'bigint'], ['block_number', 'bigint']], ['5', '1']))).toMatchObject({ x: 'block_number', y: ['gas'] });
  });

  it('draws each value at its own time', () => {
    const given = table([['day', 'date'], ['a', 'int'], ['b', 'int']], ['2026-11-02', 2, 20], ['2026-11-01', 1, 10]);
    const outcome = transform(given, defaults(given));
    expect(outcome.ok && outcome.model.positions).toEqual([Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 2)]);
    expect(outcome.ok && outcome.model.series.map(({ name, points }) => [name, points])).toEqual([['a', [1, 2]], ['b', [10, 20]]]);
  });

  it('draws one line, not a point each, where the axis was put on the column of the groups', () => {
    const given = table([['kind', 'varchar'], ['txs', 'int']], ['a', 1], ['b', 2]);
    const outcome = transform(given, { ...defaults(given), x: 'kind', y: ['txs'], group: 'kind' });
    expect(outcome.ok && outcome.model.series.map(({ name, points }) => [name, points])).toEqual([['txs', [1, 2]]]);
  });

  it('refuses an x without an order', () => {
    const given = table([['maker', 'address'], ['n', 'int']], [`0x${'1'.repeat(40)}`, 1]);
    expect(transform(given, { ...defaults(given), x: 'maker', y: ['n'] })).toEqual({ ok: false, problem: { code: 'notSortable', values: { column: 'maker' } } });
  });
});
