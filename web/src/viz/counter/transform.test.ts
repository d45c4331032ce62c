import { describe, expect, it } from 'vitest';
import { defaults } from './options';
import { transform } from './transform';

const table = { columns: [{ name: 'who', type: 'varchar' }, { name: 'wei', type: 'decimal(38,0)' }, { name: 'n', type: 'int' }], rows: [['a', '1500000000000000000', 1], ['b', '9007199254740993', null]], total: 7 };
const counter = (change: object) => {
  const outcome = transform(table, { ...defaults(table), ...change });
  return outcome.ok ? outcome.model : outcome.problem;
};

describe('counter', () => {
  it('takes the first number of the first row', () => {
    expect(defaults(table)).toMatchObject({ column: 'wei', row: 1 });
    expect(counter({})).toEqual({ text: '1,500,000,000,000,000,000', full: '1500000000000000000', change: null, spark: [] });
  });
  it('takes the row and the column it is told', () => {
    expect(counter({ row: 2 })).toMatchObject({ full: '9007199254740993' });
    expect(counter({ column: 'n' })).toMatchObject({ text: '1' });
  });
  it('counts the rows of the whole result', () => expect(counter({ column: '' })).toMatchObject({ text: '7' }));
  it('writes units, decimals, prefix and suffix', () => {
    expect(counter({ format: 'eth' })).toMatchObject({ text: '1.5 ETH' });
    expect(counter({ format: 'eth', decimals: 0, prefix: '≈ ', suffix: ' moved' })).toMatchObject({ text: '≈ 2 ETH moved' });
  });
  it('keeps a short number short where places are chosen', () => {
    expect(counter({ format: 'compact', column: 'n' })).toMatchObject({ text: '1' });
    expect(counter({ format: 'compact', column: '', decimals: 1 })).toMatchObject({ text: '7.0' });
  });
  it('names what is wrong', () => {
    expect(counter({ column: 'who' })).toMatchObject({ code: 'notNumber' });
    expect(counter({ column: 'n', row: 2 })).toEqual({ code: 'noValue', values: { column: 'n', row: 2 } });
    expect(counter({ row: 3 })).toEqual({ code: 'rowBeyond', values: { row: 3, rows: 2 } });
    expect(counter({ column: 'gone' })).toMatchObject({ code: 'columnMissing' });
    expect(transform({ ...table, rows: [] }, defaults(table))).toMatchObject({ ok: false, problem: { code: 'noRows' } });
  });
});
