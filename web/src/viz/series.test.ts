import { describe, expect, it } from 'vitest';
import { plainExact } from '@/lib/exact';
import type { Cell } from '@/lib/columns';
import { regularPositions, timeLabel, timeTexts, timeTicks } from './periods';
import { buildSeries, type SeriesModel, type SeriesOptions } from './series';

const table = (columns: [string, string][], ...rows: Cell[][]) => ({ columns: columns.map(([name, type]) => ({ name, type })), rows, total: rows.length });
const base: SeriesOptions = { x: 'day', y: ['value'], group: '', combine: 'refuse', missing: 'gap', limit: 10, format: 'grouped', decimals: -1, unit: '' };
const build = (result: ReturnType<typeof table>, options: Partial<SeriesOptions> = {}, order: 'asIs' | 'sorted' = 'asIs'): SeriesModel => {
  const outcome = buildSeries(result, { ...base, ...options }, order);
  if (!outcome.ok) throw new Error(outcome.problem.code);
  return outcome.model;
};
const problem = (result: ReturnType<typeof table>, options: Partial<SeriesOptions> = {}) => {
  const outcome = buildSeries(result, { ...base, ...options }, 'asIs');
  return outcome.ok ? null : outcome.problem.code;
};
const shown = (model: SeriesModel) => Object.fromEntries(model.series.map((one) => [one.other ? 'OTHER' : one.name, one.values.map((value) => value && plainExact(value))]));
const DAYS: [string, string][] = [['day', 'date'], ['value', 'bigint']];

describe('series', () => {
  it('puts each value on its own x, sorted by time', () => {
    const model = build(table(DAYS, ['2026-11-03', '30'], ['2026-11-01', '10'], ['2026-11-02', '20']));
    expect(model.axis).toBe('time');
    expect(model.labels).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
    expect(shown(model)).toEqual({ value: ['10', '20', '30'] });
    expect(model.series[0]?.points).toEqual([10, 20, 30]);
  });

  it('keeps two columns apart', () => {
    const result = table([['who', 'varchar'], ['in', 'bigint'], ['out', 'bigint']], ['b', '1', '9'], ['a', '2', '8']);
    const model = build(result, { x: 'who', y: ['in', 'out'] });
    expect(model.labels).toEqual(['b', 'a']);
    expect(shown(model)).toEqual({ in: ['1', '2'], out: ['9', '8'] });
  });

  it('groups rows into series by falling total', () => {
    const result = table([...DAYS, ['kind', 'varchar']], ['2026-11-01', '1', 'small'], ['2026-11-01', '50', 'big'], ['2026-11-02', '60', 'big']);
    const model = build(result, { group: 'kind' });
    expect(Object.entries(shown(model))).toEqual([['big', ['50', '60']], ['small', ['1', null]]]);
  });

  it('sums what the limit cuts off into one other series', () => {
    const rows: Cell[][] = ['a', 'b', 'c', 'd'].map((kind, index) => ['2026-11-01', String(10 ** index), kind]);
    const model = build(table([...DAYS, ['kind', 'varchar']], ...rows), { group: 'kind', limit: 3 });
    expect(shown(model)).toEqual({ d: ['1000'], c: ['100'], OTHER: ['11'] });
    expect(model.series.map((one) => one.other)).toEqual([false, false, true]);
  });

  it('refuses two rows on one x unless told how to combine them, then combines exactly', () => {
    const result = table(DAYS, ['2026-11-01', '9007199254740993'], ['2026-11-01', '9007199254740995']);
    expect(problem(result)).toBe('duplicateX');
    expect(shown(build(result, { combine: 'sum' }))).toEqual({ value: ['18014398509481988'] });
    expect(shown(build(result, { combine: 'min' }))).toEqual({ value: ['9007199254740993'] });
    expect(shown(build(result, { combine: 'max' }))).toEqual({ value: ['9007199254740995'] });
  });

  it('says when a number is rounded for drawing', () => {
    expect(build(table(DAYS, ['2026-11-01', '9007199254740992'])).notes).toEqual([]);
    expect(build(table(DAYS, ['2026-11-01', '9007199254740993'])).notes).toEqual([{ code: 'rounded' }]);
  });

  it('scales wei to ETH exactly', () => {
    expect(shown(build(table(DAYS, ['2026-11-01', '1500000000000000001']), { format: 'eth' }))).toEqual({ value: ['1.500000000000000001'] });
  });

  it('shows a day without rows as a gap or as zero, or leaves it out when connecting', () => {
    const result = table(DAYS, ['2026-11-01', '1'], ['2026-11-02', '2'], ['2026-11-04', '4']);
    expect(shown(build(result))).toEqual({ value: ['1', '2', null, '4'] });
    expect(shown(build(result, { missing: 'zero' }))).toEqual({ value: ['1', '2', '0', '4'] });
    expect(shown(build(result, { missing: 'connect' }))).toEqual({ value: ['1', '2', '4'] });
  });

  it('names what is wrong', () => {
    const one = table(DAYS, ['2026-11-01', '1']);
    expect(problem(table(DAYS))).toBe('noRows');
    expect(problem(one, { x: '' })).toBe('columnUnset');
    expect(problem(one, { y: [] })).toBe('columnUnset');
    expect(problem(one, { x: 'gone' })).toBe('columnMissing');
    expect(problem(one, { y: ['day'] })).toBe('notNumber');
  });

  it('sorts a numeric x by value', () => {
    const result = table([['hour', 'bigint'], ['value', 'bigint']], ['10', '1'], ['9', '2']);
    expect(build(result, { x: 'hour' }).labels).toEqual(['9', '10']);
  });
});

describe('periods', () => {
  const utc = (text: string) => Date.parse(`${text}Z`);
  it('fills months by the calendar', () => {
    const filled = regularPositions(['2026-01-01T00:00', '2026-02-01T00:00', '2026-04-01T00:00'].map(utc));
    expect(filled.map(timeLabel)).toEqual(['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01']);
  });
  it('leaves times without a regular step alone', () => {
    const times = ['2026-01-01T00:00:12', '2026-01-01T00:00:24', '2026-01-01T00:03:01'].map(utc);
    expect(regularPositions(times)).toEqual(times);
  });
  it('writes the clock only where there is one', () => {
    expect(timeLabel(utc('2026-11-20T19:18:07'))).toBe('2026-11-20 19:18:07');
    expect(timeLabel(utc('2026-11-20T19:18:07.250'))).toBe('2026-11-20 19:18:07.250');
  });
  it.each([
    [['2026-11-20T19:18:07'], ['2026-11-20 19:18:07']],
    [['2026-11-01T00:00:00'], ['2026-11-01']],
    [['2026-10-01T00:00', '2026-11-01T00:00'], ['2026-10', '2026-11']],
    [['2026-11-20T00:00', '2026-11-21T00:00'], ['11-20', '11-21']],
    [['2025-12-31T00:00', '2026-01-01T00:00'], ['2025-12-31', '2026-01-01']],
    [['2026-11-20T19:18', '2026-11-21T00:00'], ['11-20 19:18', '11-21 00:00']],
    [['2026-11-20T19:18:07', '2026-11-20T19:18:08'], ['11-20 19:18:07', '11-20 19:18:08']],
    [['2026-11-20T19:18:07.001', '2026-11-20T19:18:07.002'], ['11-20 19:18:07.001', '11-20 19:18:07.002']],
  ])('writes the places %j of an axis so short that they still differ', (times, texts) => {
    expect(timeTicks(times.map(utc))).toEqual(texts);
  });
  it('says the day at each tick of an axis that holds but one', () => {
    expect(timeTexts(['2026-11-20T19:18', '2026-11-20T23:59'].map(utc)).hour).toBe('{MM}-{dd} {HH}:{mm}');
    expect(timeTexts(['2026-11-20T19:18', '2026-11-21T00:00'].map(utc)).hour).toBe('{HH}:{mm}');
  });
});
