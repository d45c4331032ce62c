import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults } from './options';
import { transform } from './transform';

const table = result([['week', 'date'], ['kind', 'varchar'], ['n', 'bigint']], ['2026-11-09', 'legacy', '7'], ['2026-11-02', 'legacy', '5'], ['2026-11-02', 'blob', '1']);
const bars = (from = table) => {
  const model = modelOf(transform(from, defaults(from)));
  return model.cells.map((cell) => [model.xs[cell.x], model.ys[cell.y], digits(cell.value)]);
};

describe('3D bar', () => {
  it('raises a bar for each pair, times in order', () => {
    expect(bars()).toEqual([['2026-11-09', 'legacy', '7'], ['2026-11-02', 'legacy', '5'], ['2026-11-02', 'blob', '1']]);
    expect(modelOf(transform(table, defaults(table))).xs).toEqual(['2026-11-02', '2026-11-09']);
    expect(bars(swapped(table, 'n', 0, 1))).not.toEqual(bars());
  });
  it('raises the largest of many names, and refuses more times or numbers than have room', () => {
    const many = (type: string) => result([['x', type], ['y', 'varchar'], ['n', 'int']], ...Array.from({ length: 5_001 }, (_, at) => [type === 'int' ? at : `x${at}`, 'y', at]));
    const drawn = (type: string) => transform(many(type), { ...defaults(many(type)), x: 'x', y: 'y', value: 'n' });
    const model = modelOf(drawn('varchar'));
    expect([model.cells.length, model.low, model.notes]).toEqual([40, 4_961, [{ code: 'namesCut', values: { column: 'x', drawn: 40, all: 5_001 } }]]);
    expect(problemOf(drawn('int'))).toMatchObject({ code: 'tooManyCells' });
  });
});
