import { describe as suite, expect, it } from 'vitest';
import { describe, firstExample } from './describe';
import { catalogue } from './fixture';
import { suggest } from './suggest';
import { quoteName } from './words';

const at = (marked: string, asked = false) => suggest(marked.replace('|', ''), marked.indexOf('|'), asked, catalogue);
const inserts = (marked: string, kind?: string) => (at(marked)?.options ?? []).filter((one) => !kind || one.kind === kind).map((one) => one.insert);

suite('suggestions', () => {
  it('offers the columns in scope, quoted where they would not run bare', () => {
    expect(inserts('select h| from transactions', 'column')).toEqual(['hash', 'value', 'block_number', '"from"']);
    expect(inserts('select b.| from blocks b join transactions t on true')).toEqual(['number', 'miner', 'gas_used']);
    expect(quoteName('Mixed')).toBe('"Mixed"');
    expect(quoteName('a"b')).toBe('"a""b"');
  });

  it('offers tables after FROM, with the schema where it is needed', () => {
    expect(inserts('select * from |')).toEqual(['blocks', 'transactions', 'labels.addresses', 'ethereum.', 'labels.']);
    expect(inserts('select * from labels.|')).toEqual(['addresses']);
    expect(inserts('select * from blocks, |', 'table')).toContain('transactions');
    expect(inserts('with mine as (select 1 as a) select * from m|')[0]).toBe('mine');
  });

  it('does not offer tables after a comma of the select list or of a function', () => {
    expect(inserts('select number, g| from blocks', 'column')).toContain('gas_used');
    expect(at('select coalesce(number, | from blocks')).toBeNull();
  });

  it('puts the cursor between the parentheses of a function', () => {
    const options = at('select su|')?.options ?? [];
    expect(options.find((one) => one.label === 'sum')).toMatchObject({ insert: 'sum()', caret: 4 });
    expect(options.find((one) => one.label === 'now')).toMatchObject({ insert: 'now()', caret: 5 });
  });

  it('replaces only the word before the cursor', () => {
    expect(at('select gas_u| from blocks')?.from).toBe(7);
    expect(at('select b.gas| from blocks b')?.from).toBe(9);
  });

  it('stays silent in strings, comments, numbers and where nothing is typed', () => {
    for (const text of ["select 'fr|'", '-- sel|', 'select 12|', 'select |']) expect(at(text)).toBeNull();
    expect(at('select |', true)).not.toBeNull();
  });
});

suite('descriptions', () => {
  const on = (marked: string) => describe(marked.replace('|', ''), marked.indexOf('|'), catalogue);
  it('explains columns, tables and functions', () => {
    expect(on('select va|lue from transactions t')).toMatchObject({ title: 'value', detail: 'decimal(38,0), t', doc: 'Doc of value.', from: 7, to: 12 });
    expect(on('select 1 from labels.addr|esses')).toMatchObject({ title: 'addresses', doc: 'Labels.' });
    expect(on("select date_tr|unc('day', now())")).toMatchObject({ title: 'date_trunc(precision, time)', detail: 'scalar' });
    expect(on('sel|ect 1')).toBeNull();
  });

  it('takes only the statement of a drawn example', () => {
    expect(firstExample('```sql\n> SELECT abs(-5);\n+---+\n| 5 |\n+---+\n```')).toBe('SELECT abs(-5);');
    expect(firstExample("date_trunc('day', block_timestamp)")).toBe("date_trunc('day', block_timestamp)");
    expect(firstExample('')).toBe('');
  });
});
