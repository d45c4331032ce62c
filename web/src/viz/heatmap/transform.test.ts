import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type HeatmapOptions } from './options';
import { transform } from './transform';

const table = result([['hour', 'int'], ['weekday', 'varchar'], ['n', 'bigint']], [10, 'Tue', '7'], [9, 'Mon', '5'], [10, 'Mon', '6']);
const columns = { x: 'hour', y: 'weekday', value: 'n' };
const cells = (from = table, change: Partial<HeatmapOptions> = columns) => {
  const model = modelOf(transform(from, { ...defaults(from), ...change }));
  return model.cells.map((cell) => [model.xs[cell.x], model.ys[cell.y], digits(cell.value)]);
};

describe('heatmap', () => {
  it('gives every pair its cell, numbers in order and names as they come', () => {
    expect(cells()).toEqual([['10', 'Tue', '7'], ['9', 'Mon', '5'], ['10', 'Mon', '6']]);
    const model = modelOf(transform(table, { ...defaults(table), ...columns }));
    expect([model.xs, model.ys, model.low, model.high]).toEqual([['9', '10'], ['Tue', 'Mon'], 5, 7]);
    expect(cells(swapped(table, 'n', 0, 1))).not.toEqual(cells());
  });
  it('maps two columns that are no measure by itself', () => {
    const plain = result([['day', 'date'], ['kind', 'varchar'], ['gas', 'bigint']], ['2026-11-01', 'a', '1']);
    expect(defaults(plain)).toMatchObject({ x: 'day', y: 'kind', value: 'gas', layout: 'grid' });
  });
  it('lays one time column out as a calendar', () => {
    const days = result([['day', 'timestamp'], ['n', 'bigint']], ['2026-11-02 00:00:00', '2'], ['2026-10-31 00:00:00', '1']);
    expect(defaults(days).layout).toBe('calendar');
    expect(cells(days, {})).toEqual([['2026-11-02', '2026-11-02', '2'], ['2026-10-31', '2026-10-31', '1']]);
    expect(problemOf(transform(table, { ...defaults(table), ...columns, layout: 'calendar', x: 'weekday' }))).toMatchObject({ code: 'duplicatePair' });
  });
  it('keeps the largest of many names, in their order', () => {
    const many = result([['who', 'varchar'], ['what', 'varchar'], ['n', 'bigint']], ...Array.from({ length: 5_000 }, (_, at) => [`w${at}`, at % 2 === 0 ? 'even' : 'odd', String(at - 4_980)]));
    const model = modelOf(transform(many, { ...defaults(many), x: 'who', y: 'what', value: 'n' }));
    expect([model.xs.length, model.xs[0], model.xs.at(-1), model.cells.length, model.low]).toEqual([60, 'w0', 'w59', 60, -4_980]);
    expect(model.cells.map((cell) => [model.xs[cell.x], model.ys[cell.y], digits(cell.value)])).toContainEqual(['w7', 'odd', '-4973']);
    expect(model.notes).toEqual([{ code: 'namesCut', values: { column: 'who', drawn: 60, all: 5_000 } }]);
  });
  it('parts two-sided colours at zero', () => {
    const bounds = (first: string, second: string, change: Partial<HeatmapOptions> = {}) => {
      const two = result([['hour', 'int'], ['weekday', 'varchar'], ['n', 'bigint']], [9, 'Mon', first], [10, 'Mon', second]);
      const { low, high } = modelOf(transform(two, { ...defaults(two), ...columns, palette: 'diverging', ...change }));
      return [low, high];
    };
    expect(bounds('-10', '100')).toEqual([-100, 100]);
    expect(bounds('-10', '100', { max: '40' })).toEqual([-40, 40]);
    expect(bounds('-10', '100', { min: '-20' })).toEqual([-20, 20]);
    expect(bounds('-10', '100', { min: '-1', max: '2' })).toEqual([-1, 2]);
    expect(bounds('5', '7')).toEqual([5, 7]);
    expect(bounds('-10', '100', { palette: 'sequential' })).toEqual([-10, 100]);
  });
  it('names what is wrong', () => {
    expect(problemOf(transform(table, { ...defaults(table), ...columns, max: 'high' }))).toEqual({ code: 'boundNotNumber', values: { text: 'high' } });
    const twice = { ...table, rows: [...table.rows, [9, 'Mon', '1']] };
    expect(problemOf(transform(twice, { ...defaults(twice), ...columns }))).toEqual({ code: 'duplicatePair', values: { first: '9', second: 'Mon' } });
    expect(cells(twice, { ...columns, combine: 'sum' })).toContainEqual(['9', 'Mon', '6']);
    expect(problemOf(transform(table, { ...defaults(table), ...columns, min: '9', max: '1' }))).toEqual({ code: 'minAboveMax', values: { min: '9', max: '1' } });
    const many = result([['x', 'int'], ['y', 'int'], ['n', 'int']], ...Array.from({ length: 10_001 }, (_, at) => [at, 0, 1]));
    expect(problemOf(transform(many, { ...defaults(many), x: 'x', y: 'y', value: 'n' }))).toEqual({ code: 'tooManyCells', values: { cells: 10_001, most: 10_000 } });
  });
});
