import { describe, expect, it } from 'vitest';
import type { Cell } from '@/lib/columns';
import { defaults } from './options';
import { transform } from './transform';

const table = (columns: [string, string][], ...rows: Cell[][]) => ({ columns: columns.map(([name, type]) => ({ name, type })), rows, total: rows.length });
const result = table(
  [['day', 'date'], ['project', 'varchar'], ['volume', 'bigint'], ['block_number', 'bigint']],
  ['2026-11-01', 'Curve', '5', '1'],
  ['2026-11-01', 'Uniswap', '7', '2'],
  ['2026-11-02', 'Curve', '11', '3'],
);

describe('bar', () => {
  it('maps time to x, the category to the group and the measuring number to y', () => {
    expect(defaults(result)).toMatchObject({ x: 'day', group: 'project', y: ['volume'], stack: 'stack' });
    expect(defaults(table([['maker', 'address'], ['a', 'int'], ['b', 'double']], [`0x${'1'.repeat(40)}`, 1, 2]))).toMatchObject({ x: 'maker', group: '', y: ['a', 'b'], stack: 'none' });
  });

  it('puts every value into its own bar', () => {
    const outcome = transform(result, defaults(result));
    expect(outcome.ok && outcome.model.labels).toEqual(['2026-11-01', '2026-11-02']);
    expect(outcome.ok && outcome.model.series.map(({ name, points }) => [name, points])).toEqual([['Curve', [5, 11]], ['Uniswap', [7, null]]]);
  });

  it('keeps categories in the order of the result', () => {
    const given = table([['who', 'varchar'], ['n', 'int']], ['b', 2], ['a', 1]);
    const outcome = transform(given, defaults(given));
    expect(outcome.ok && [outcome.model.labels, outcome.model.series[0]?.points]).toEqual([['b', 'a'], [2, 1]]);
  });

  it('draws the largest of many categories, or as many as were asked for', () => {
    const many = table([['who', 'varchar'], ['n', 'int']], ...Array.from({ length: 5_000 }, (_, at): Cell[] => [`w${at}`, at]));
    const drawn = (top?: number) => {
      const outcome = transform(many, { ...defaults(many), x: 'who', y: ['n'], ...(top === undefined ? {} : { top }) });
      return outcome.ok && [outcome.model.labels.length, outcome.model.labels[0], outcome.model.series[0]?.points.at(-1), outcome.model.notes];
    };
    expect(drawn()).toEqual([50, 'w4950', 4999, [{ code: 'namesCut', values: { column: 'who', drawn: 50, all: 5_000 } }]]);
    expect(drawn(0)).toEqual([5_000, 'w0', 4999, []]);
    expect(drawn(5)).toEqual([6, 'w4995', (4994 * 4995) / 2, []]);
  });

  it('refuses shares of negative numbers', () => {
    const given = table([['who', 'varchar'], ['n', 'int']], ['a', -1]);
    expect(transform(given, { ...defaults(given), stack: 'percent' })).toEqual({ ok: false, problem: { code: 'percentNegative', values: { series: 'n' } } });
  });
});
