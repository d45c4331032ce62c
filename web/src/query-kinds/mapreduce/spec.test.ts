import { describe, expect, it } from 'vitest';
import { EMPTY_CATALOGUE } from '../catalogue';
import { catalogue } from '../sql/fixture';
import { mapReduceLanguage } from './language';
import { firstSpec, problemsOf, readSpec, trialOf } from './spec';

describe('problems of a job', () => {
  const spec = { ...firstSpec(), tableName: 'senders' };

  it('are none for a job with a name', () => expect(problemsOf(spec)).toEqual({}));

  it.each(['', '1st', 'with-dash', 'twenty_one_characters'])('the table name "%s" is refused', (tableName) => {
    expect(problemsOf({ ...spec, tableName })).toEqual({ tableName: 'tableName' });
  });

  it('name empty parts and dates in the wrong order', () => {
    expect(problemsOf({ ...spec, reducer: ' ', startDate: '2026-02-02', endDate: '2026-02-01' })).toEqual({ reducer: 'empty', endDate: 'dates' });
  });

  it('a trial needs no table and reads one day', () => {
    const trial = trialOf(firstSpec(), '2026-11-01');
    expect(problemsOf(trial)).toEqual({});
    expect(trial).toMatchObject({ result: 'rows', startDate: '2026-11-01', endDate: '2026-11-01' });
  });
});

describe('the file of a job', () => {
  it('is read into its fields and parts', () => {
    const file = "// result: rows\n// startDate: 2026-11-01\n\n// ---- driver ----\n({ input: 'blocks' })\n\n// ---- mapper ----\n// one\n(row) => row\n\n// ---- reducer ----\n(key) => key\n";
    expect(readSpec(file)).toEqual({ result: 'rows', tableName: '', startDate: '2026-11-01', endDate: '', driver: "({ input: 'blocks' })\n", mapper: '// one\n(row) => row\n', reducer: '(key) => key\n' });
  });

  it('without parts is a new job', () => expect(readSpec('select 1')).toEqual(firstSpec()));
});

describe('completion of the parts', () => {
  const labels = (marked: string, known = catalogue) => mapReduceLanguage(known).suggest(marked.replace('|', ''), marked.indexOf('|'), false)?.options.map((one) => one.label) ?? [];

  it('offers columns of the chain after row. and in the list of columns', () => {
    expect(labels('(row, emit) => emit(row.|')).toContain('gas_used');
    expect(labels("({ input: 'blocks', columns: ['|'] })")).toContain('miner');
  });

  it('offers what a batch has after batch., and columns where its sums name them', () => {
    expect(labels('(batch, emit) => batch.|')).toEqual(expect.arrayContaining(['sums', 'counts', 'length', 'gas_used']));
    expect(labels("(batch, emit) => batch.sums('|')")).toContain('gas_used');
    expect(labels("(batch, emit) => batch.counts('|')")).not.toContain('sums');
    const sums = mapReduceLanguage(catalogue).suggest('batch.', 6, false)?.options.find((one) => one.label === 'sums');
    expect(sums?.insert.slice(0, sums.caret)).toBe("sums('");
  });

  it('explains what a batch has, and columns of rows also where a word has their name', () => {
    const on = (marked: string) => mapReduceLanguage(catalogue).describe(marked.replace('|', ''), marked.indexOf('|'));
    expect(on('batch.cou|nts()')?.doc).toContain('batch.counts(by)');
    expect(on('text.len|gth')).toBeNull();
    expect(on('row.num|ber')?.detail).toBe('bigint, blocks');
    expect(on('row.val|ue')?.detail).toBe('decimal(38,0), transactions');
    expect(on('row.cou|nt')).toBeNull();
  });

  it('offers tables as the input and words elsewhere, and nothing after other dots', () => {
    expect(labels("({ input: '|' })")).toEqual(['blocks', 'transactions']);
    expect(labels('em|', EMPTY_CATALOGUE)).toContain('emit');
    expect(labels('values.|', EMPTY_CATALOGUE)).toEqual([]);
  });
});
