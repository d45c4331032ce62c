import { describe, expect, it } from 'vitest';
import { firstSpec, problemsOf, readSpec, specFor, type Rule } from './spec';

const both = { en: '', zh: '' };
const rule = (more: Partial<Rule>): Rule => ({ id: 'X', name: 'x', title: both, text: both, value: both, labels: [], inputs: [], parameters: [], source: '', version: 1, ...more });

describe('the spec in a link', () => {
  it('is JSON; anything else is a new form', () => {
    expect(readSpec('{"label": "miner", "parameters": {"pool_share": "0.05"}}')).toEqual({ label: 'miner', parameters: { pool_share: '0.05' } });
    expect(readSpec('select 1')).toEqual(firstSpec());
    expect(readSpec('null')).toEqual(firstSpec());
  });
});

describe('a form for another rule', () => {
  it('keeps the fields that both take', () => {
    const next = rule({ name: 'y', inputs: [{ field: 'contractAddress', required: true }, { field: 'month', required: false }] });
    expect(specFor(next, { label: 'x', contractAddress: '0x1', startDate: '2026-01-01', parameters: { n: '1' } }, Date.UTC(2026, 10, 20))).toEqual({ label: 'y', contractAddress: '0x1', month: '2026-10' });
  });
});

describe('problems of a form', () => {
  const fields = rule({
    inputs: [{ field: 'contractAddress', required: true }, { field: 'month', required: false }, { field: 'startDate', required: false }, { field: 'endDate', required: false }],
    parameters: [{ name: 'least', kind: 'whole', default: '10', min: '1', max: '100', text: both }],
  });

  it('are told by field', () => {
    expect(problemsOf(fields, {})).toEqual({ contractAddress: 'required' });
    expect(problemsOf(fields, { contractAddress: '0x12', month: '2026-13', startDate: '2026-02-02', endDate: '2026-02-01', parameters: { least: '1.5' } })).toEqual({ contractAddress: 'address', month: 'month', endDate: 'dates', least: 'number' });
    expect(problemsOf(fields, { contractAddress: `0x${'a'.repeat(40)}`, parameters: { least: '101' } })).toEqual({ least: 'bounds' });
  });

  it('are none where all is well, also with parameters left out', () => {
    expect(problemsOf(fields, { contractAddress: `0x${'A'.repeat(40)}`, month: '2026-01' })).toEqual({});
  });
});
