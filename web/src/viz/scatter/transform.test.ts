import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type ScatterOptions } from './options';
import { transform } from './transform';

const table = result([['kind', 'varchar'], ['gas', 'bigint'], ['fee', 'decimal(38,0)'], ['count', 'int']], ['a', '1', '9007199254740993', 4], ['b', '2', '20', 16], ['a', '3', null, 1]);
const model = (change: Partial<ScatterOptions> = {}, from = table) => modelOf(transform(from, { ...defaults(from), ...change }));
const points = (change: Partial<ScatterOptions> = {}, from = table) => model(change, from).clouds.map((cloud) => [cloud.name, cloud.points.map((point) => [typeof point.x === 'string' ? point.x : digits(point.x), digits(point.y)])]);

describe('scatter', () => {
  it('puts the first two numbers on the axes, a colour for each category', () => {
    expect(defaults(table)).toMatchObject({ x: 'gas', y: 'fee', group: 'kind' });
    expect(points()).toEqual([['a', [['1', '9007199254740993']]], ['b', [['2', '20']]]]);
    expect(points({}, swapped(table, 'fee', 0, 1))).not.toEqual(points());
    expect(model().notes).toEqual([{ code: 'rounded' }]);
  });
  it('makes areas follow the size', () => {
    expect(model({ size: 'count', group: '' }).clouds[0]?.points.map((point) => point.weight)).toEqual([Math.sqrt(3 / 15), 1]);
  });
  it('draws the line of least squares', () => {
    const straight = result([['x', 'int'], ['y', 'int']], [1, 3], [2, 5], [4, 9]);
    expect(model({ regression: true }, straight).line).toEqual([[1, 3], [4, 9]]);
    expect(model({ regression: true }, result([['x', 'int'], ['y', 'int']], [1, 3], [1, 5])).line).toBeNull();
  });
  it('samples long results evenly and says so', () => {
    const long = result([['x', 'int'], ['y', 'int']], ...Array.from({ length: 100_000 }, (_, at) => [at, at]));
    const { clouds, notes } = model({}, long);
    expect(clouds[0]?.points.length).toBe(50_000);
    expect(clouds[0]?.points.at(-1)?.at).toEqual([99_999, 99_999]);
    expect(notes).toEqual([{ code: 'sampled', values: { drawn: 50_000, all: 100_000 } }]);
  });
  it('names what is wrong', () => {
    expect(problemOf(transform(table, { ...defaults(table), x: 'kind' }))).toEqual({ code: 'notNumber', values: { column: 'kind' } });
    expect(problemOf(transform(result([['x', 'int'], ['y', 'int']], [1, null]), { ...defaults(table), x: 'x', y: 'y', group: '', name: '' }))).toMatchObject({ code: 'noPoints' });
    expect(model({ yLog: true }, result([['x', 'int'], ['y', 'int']], [1, 0], [2, 1])).notes).toEqual([{ code: 'logHidden', values: { count: 1 } }]);
  });
});
