import { describe, expect, it } from 'vitest';
import type { Cell } from '@/lib/columns';
import { defaults as barDefaults } from './bar/options';
import { defaults as funnelDefaults } from './funnel/options';
import { defaults as lineDefaults } from './line/options';
import { numericColumns, rolesOf, timeOf } from './mapping';
import { defaults as pieDefaults } from './pie/options';
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

  it('takes whole numbers that stand for a kind for a category while they are few', () => {
    const kinds = table([['day', 'date'], ['transaction_type', 'bigint'], ['gas', 'bigint']], ['2026-11-19', '0', '1'], ['2026-11-19', '2', '2']);
    expect(rolesOf(kinds)).toMatchObject({ category: ['transaction_type'], number: ['gas'] });
    expect(lineDefaults(kinds)).toMatchObject({ x: 'day', group: 'transaction_type', y: ['gas'] });
    expect(rolesOf(table([['status', 'bigint']], ...Array.from({ length: 51 }, (_, at) => [String(at)]))).number).toEqual(['status']);
    expect(rolesOf(table([['version', 'double']], [1.5])).number).toEqual(['version']);
  });

  it.each([
    ['the kind', ['transaction_type', 'n']],
    ['a number that names a thing', ['n', 'block_number']],
    ['the first of numbers', ['bucket', 'n']],
  ])('measures by %s where no text names what is measured', (_, names) => {
    const result = table(names.map((name) => [name, 'bigint']), ['0', '10'], ['1', '20']);
    const naming = names.find((name) => name !== 'n');
    expect(pieDefaults(result)).toMatchObject({ category: naming, value: 'n' });
    expect(funnelDefaults(result)).toMatchObject({ step: naming, value: 'n' });
    expect(barDefaults(result)).toMatchObject({ x: naming, y: ['n'] });
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
