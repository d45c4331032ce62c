import { describe, expect, it } from 'vitest';
import type { Parameter } from '@/api/queries';
import { namesIn, parametersOf, problemOf, valueOf, wireValues } from './parameters';

const parameter = (name: string, type: Parameter['type'], more: Partial<Parameter> = {}): Parameter => ({ name, type, default: null, ...more });

describe('names in a text', () => {
  it('finds each once, in order, also inside quotes and optional parts', () => {
    expect(namesIn("select {{a}} from t where x = '{{ b }}' [[ and y = {{a}} ]]", 'SQL')).toEqual([
      { name: 'a', range: false },
      { name: 'b', range: false },
    ]);
  });

  it('takes both ends of a range for one parameter', () => {
    expect(namesIn('where d between {{days.start}} and {{days.end}}', 'SQL')).toEqual([{ name: 'days', range: true }]);
  });

  it('reads dollar names of Cypher outside strings and comments only', () => {
    expect(namesIn("match (a {address: $who}) where a.name <> '$no' // $neither\nreturn a limit $n", 'GRAPH').map((one) => one.name)).toEqual(['who', 'n']);
  });

  it('finds none in kinds that take none', () => {
    expect(namesIn('select {{a}}', 'HIVE')).toEqual([]);
  });
});

describe('parameters of a text', () => {
  it('keep what is known of them and forget what is no longer named', () => {
    const known = [parameter('n', 'number', { default: '5' }), parameter('gone', 'text')];
    expect(parametersOf('limit {{n}} {{new}}', 'SQL', known)).toMatchObject([{ name: 'n', type: 'number', default: '5' }, { name: 'new', type: 'text', default: null }]);
  });

  it('become ranges when the text names their ends, without the default of before', () => {
    expect(parametersOf('{{d.start}}', 'SQL', [parameter('d', 'text', { default: 'x' })])).toMatchObject([{ name: 'd', type: 'dateRange', default: null }]);
  });
});

describe('values', () => {
  it('are the defaults until others are given, also the empty one', () => {
    const limit = parameter('limit', 'number', { default: 10 });
    expect(valueOf(limit, {})).toBe('10');
    expect(valueOf(limit, { limit: '20' })).toBe('20');
    expect(valueOf(limit, { limit: null })).toBeNull();
  });

  it('are checked by type', () => {
    expect(problemOf(parameter('n', 'number'), '12e3')).toBeNull();
    expect(problemOf(parameter('n', 'number'), 'twelve')).toBe('number');
    expect(problemOf(parameter('d', 'date'), '2026-02-31x')).toBe('date');
    expect(problemOf(parameter('r', 'dateRange'), { start: '2026-02-02', end: '2026-02-01' })).toBe('range');
    expect(problemOf(parameter('t', 'text', { required: true }), null)).toBe('required');
    expect(problemOf(parameter('t', 'text'), null)).toBeNull();
  });

  it('are sent to SQL with their types, every digit of a number, and none where there is none', () => {
    const parameters = [parameter('n', 'number'), parameter('l', 'list', { multiple: true }), parameter('none', 'text')];
    expect(wireValues('SQL', parameters, { n: '340282366920938463463374607431768211456', l: ['a', 'b'] })).toEqual({
      n: { type: 'number', value: '340282366920938463463374607431768211456' },
      l: { type: 'list', value: ['a', 'b'] },
    });
  });

  it('are sent to Cypher plainly, null where there is none', () => {
    const parameters = [parameter('n', 'number'), parameter('big', 'number'), parameter('none', 'text')];
    expect(wireValues('GRAPH', parameters, { n: '3', big: '9007199254740993' })).toEqual({ n: 3, big: { type: 'number', value: '9007199254740993' }, none: null });
  });
});
