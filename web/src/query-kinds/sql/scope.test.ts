import { describe, expect, it } from 'vitest';
import { catalogue } from './fixture';
import { scopeAt } from './scope';
import { insideText, statementAt, tokenize } from './tokens';

/** `|` marks the cursor. */
const scope = (marked: string) => {
  const found = scopeAt(marked.replace('|', ''), marked.indexOf('|'), catalogue);
  const show = (list: typeof found.sources) => list.map((source) => `${source.name}: ${source.columns.map((column) => column.name).join(' ')}`);
  return { sources: show(found.sources), ctes: show(found.ctes) };
};

describe('scope', () => {
  it('knows tables and aliases, also when FROM comes after the cursor', () => {
    expect(scope('select | from blocks b').sources).toEqual(['b: number miner gas_used']);
    expect(scope('select | from blocks as b join labels.addresses on b.miner = address where 1=1').sources).toEqual(['b: number miner gas_used', 'addresses: address label']);
    expect(scope('select * from blocks, transactions t where |').sources).toEqual(['blocks: number miner gas_used', 't: hash value block_number from']);
  });

  it('reads what a CTE gives', () => {
    const text = 'with a as (select number as n, miner, sum(gas_used) total from blocks), b as (select * from a) select | from b';
    expect(scope(text)).toEqual({ sources: ['b: n miner total'], ctes: ['b: n miner total', 'a: n miner total'] });
    expect(scope('with a(x, y) as (select number, miner from blocks) select | from a').sources).toEqual(['a: x y']);
  });

  it('is inside a CTE or a subquery where the cursor is', () => {
    expect(scope('with a as (select | from blocks) select 1 from transactions').sources).toEqual(['blocks: number miner gas_used']);
    expect(scope('select * from (select | from blocks) x join transactions t on true').sources[0]).toBe('blocks: number miner gas_used');
    expect(scope('select | from (select number n from blocks) x').sources).toEqual(['x: n']);
    expect(scope('select 1 from transactions t where exists (select 1 from blocks where |').sources).toEqual(['blocks: number miner gas_used', 't: hash value block_number from']);
  });

  it('is not misled by function calls, unions, strings and statements before', () => {
    expect(scope("select extract(year from block_timestamp), | from blocks where a = ' from transactions'").sources).toEqual(['blocks: number miner gas_used']);
    expect(scope('select 1 from blocks union all select | from transactions').sources).toEqual(['transactions: hash value block_number from']);
    expect(scope('select 1 from blocks; select | from transactions').sources).toEqual(['transactions: hash value block_number from']);
    expect(scope('select 1 from transactions where value in (1, |').sources).toEqual(['transactions: hash value block_number from']);
  });

  it('survives an unfinished text', () => {
    for (const text of ['|', 'with |', 'with a as (|', 'select (((|', 'from |', 'select * from (|', 'with a as (select 1) |']) expect(() => scope(text)).not.toThrow();
  });
});

describe('tokens', () => {
  it('keeps comments, strings and quoted names whole', () => {
    expect(tokenize(`a -- x\n'it''s' "b c" 0xff 1.5e3`).map((token) => token.kind)).toEqual(['word', 'comment', 'string', 'quoted', 'number', 'number']);
    expect(statementAt("select ';'; select 2", 15).map((token) => token.text)).toEqual(['select', '2']);
  });
  it('reads on from what it read before as if it had read all', () => {
    const whole = (text: string, offset: number) => {
      const tokens = tokenize(text).filter((token) => token.kind !== 'comment');
      const start = tokens.findLastIndex((token) => token.text === ';' && token.to <= offset) + 1;
      const next = tokens.findIndex((token, index) => index >= start && token.text === ';');
      return tokens.slice(start, next < 0 ? tokens.length : next);
    };
    const pieces = ["'", '"', ';', '--', '\n', '/*', '*/', '1e', '5', '.', ' select ', 'a', '; ', "''", '(', '`'];
    let [seed, text] = [7, ''];
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let turn = 0; turn < 3_000; turn += 1) {
      const at = random(text.length + 1);
      const cut = random(4) === 0 ? random(6) : 0;
      text = (text.slice(0, at) + (cut > 0 ? '' : (pieces[random(pieces.length)] ?? '')) + text.slice(at + cut)).slice(0, 200);
      const offset = random(text.length + 1);
      expect(statementAt(text, offset), JSON.stringify([text, offset])).toEqual(whole(text, offset));
    }
  });
  it('knows when the cursor is inside text', () => {
    const inside = (marked: string) => insideText(marked.replace('|', ''), marked.indexOf('|'));
    expect(["'a|b'", '-- no|', "'open|", '/* | */'].map(inside)).toEqual([true, true, true, true]);
    expect(["'ab'|", 'a|', '-- no\n|', '/* */|'].map(inside)).toEqual([false, false, false, false]);
  });
});
