// "Show as table" and the CSV file of charts: cells as the result holds them, in columns that sort as the result's do.
import { expect, it } from 'vitest';
import { drawing as bar } from './bar/drawing';
import { drawnSeries } from './cartesian';
import { drawnCsv } from './drawn';
import { modelOf, result } from './fixture';
import { drawn as drawnCells } from './heatmap/draw';
import { drawing as heatmap } from './heatmap/drawing';
import { drawing as line } from './line/drawing';
import { drawn as drawnLines } from './parallel/draw';
import { drawing as parallel } from './parallel/drawing';

const word = (key: string) => key;

it('lines across axes: digits without commas, nothing where there is nothing', () => {
  const table = result([['kind', 'varchar'], ['gas', 'uint256'], ['day', 'timestamp']], ['a', '9007199254740993', '2026-11-01 00:00:00'], [null, '2', '2026-11-02 00:00:00']);
  const options = { ...parallel.defaults(table), dimensions: ['kind', 'gas', 'day'], group: '' };
  const drawn = drawnLines(modelOf(parallel.transform(table, options)), options, word);
  expect(drawn.columns).toEqual(table.columns);
  expect(drawn.rows).toEqual(table.rows);
  expect(drawnCsv(drawn).split(/\r?\n/)[1]).toBe('a,9007199254740993,2026-11-01 00:00:00');
});

it('numbers along an axis are numbers in the table, too', () => {
  const table = result([['block', 'bigint'], ['txs', 'bigint']], ['10', '5'], ['9', '7']);
  const options = { ...line.defaults(table), x: 'block', y: ['txs'] };
  const drawn = drawnSeries(modelOf(line.transform(table, options)), options, word);
  expect(drawn.columns[0]).toEqual({ name: 'block', type: 'bigint' });
  expect(drawn.rows).toEqual([['9', '7'], ['10', '5']]);
});

it('a word for all other names makes the column one of texts', () => {
  const table = result([['who', 'address'], ['txs', 'bigint']], ['0xa', '5'], ['0xb', '7'], ['0xc', '1']);
  const typeWith = (top: number) => {
    const options = { ...bar.defaults(table), x: 'who', y: ['txs'], top };
    return drawnSeries(modelOf(bar.transform(table, options)), options, word).columns[0]?.type;
  };
  expect([typeWith(0), typeWith(2)]).toEqual(['address', 'varchar']);
});

it('a heatmap has the types of both its axes', () => {
  const table = result([['hour', 'int'], ['weekday', 'varchar'], ['n', 'bigint']], [10, 'Tue', '7'], [9, 'Mon', '5']);
  const options = { ...heatmap.defaults(table), x: 'hour', y: 'weekday', value: 'n', layout: 'grid' as const };
  const drawn = drawnCells(modelOf(heatmap.transform(table, options)), options);
  expect(drawn.columns.slice(0, 2)).toEqual([{ name: 'hour', type: 'int' }, { name: 'weekday', type: 'varchar' }]);
});
