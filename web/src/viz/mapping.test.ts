import { describe, expect, it } from 'vitest';
import type { Cell } from '@/lib/columns';
import { numericColumns, rolesOf, timeOf } from './mapping';
import { mergeOptions } from './types';

const table = (columns: [string, string][], ...rows: Cell[][]) => ({ columns: columns.map(([name, type]) => ({ name, type })), rows, total: rows.length });

describe('automatic mapping', () => {
  it('tells time, category, number, address and hash apart', () => {
    const roles = rolesOf(
      table(
        [['day', 'date'], ['project', 'varchar'], ['volume', 'decimal(38,0)'], ['maker', 'address'], ['tx', 'hash'], ['pool', 'varchar']],
        ['2026-11-19', 'Uniswap', '12', `0x${'a'.repeat(40)}`, `0x${'b'.repeat(64)}`, `0x${'c'.repeat(40)}`],
      ),
    );
    expect(roles).toEqual({ time: ['day'], category: ['project'], number: ['volume'], address: ['maker', 'pool'], hash: ['tx'] });
  });

  it('leaves numbers that name a thing for last', () => {
    const result = table([['block_number', 'bigint'], ['nonce', 'bigint'], ['token_id', 'uint256'], ['gas', 'bigint']], ['1', '2', '3', '4']);
    expect(rolesOf(result).number).toEqual(['gas']);
    expect(numericColumns(result)).toEqual(['gas', 'block_number', 'nonce', 'token_id']);
  });

  it('takes a text or a plain number for time by its name only when it reads as one', () => {
    const result = table([['month', 'varchar'], ['hour', 'bigint'], ['date', 'varchar'], ['tx_per_day', 'bigint']], ['2026-11', '5', 'yesterday', '7']);
    expect(rolesOf(result)).toMatchObject({ time: ['month', 'hour'], category: ['date'], number: ['tx_per_day'] });
  });

  it('gives no part to a column without a value, as long as there are rows', () => {
    const columns: [string, string][] = [['kind', 'varchar'], ['nothing', 'varchar'], ['missing', 'bigint'], ['day', 'date'], ['gas', 'bigint']];
    expect(rolesOf(table(columns, ['a', null, null, null, '1'], ['b', null, null, null, '2']))).toEqual({ time: [], category: ['kind'], number: ['gas'], address: [], hash: [] });
    expect(rolesOf(table(columns)).number).toEqual(['missing', 'gas']);
  });

  it('does not take a text with more than 50 values for a category', () => {
    const rows = Array.from({ length: 51 }, (_, index) => [`name ${index}`]);
    expect(rolesOf(table([['who', 'varchar']], ...rows)).category).toEqual([]);
    expect(rolesOf(table([['who', 'varchar']], ...rows.slice(0, 50))).category).toEqual(['who']);
  });

  it('reads times as UTC', () => {
    expect(timeOf('2026-11-20')).toBe(Date.UTC(2026, 10, 20));
    expect(timeOf('2026-11')).toBe(Date.UTC(2026, 10, 1));
    expect(timeOf('2026-11-20 19:18:07.123456')).toBe(Date.UTC(2026, 10, 20, 19, 18, 7, 123));
    expect(timeOf('20.11.2026')).toBeNull();
  });

  it('drops stored options of another kind', () => {
    expect(mergeOptions({ x: 'day', y: ['a'], limit: 10 }, { x: 'hour', y: 'b', limit: null, other: 1 })).toEqual({ x: 'hour', y: ['a'], limit: 10 });
    expect(mergeOptions({ x: 'day' }, null)).toEqual({ x: 'day' });
  });
});
