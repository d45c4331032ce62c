import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type RadarOptions } from './options';
import { transform } from './transform';

const wide = result([['kind', 'varchar'], ['gas', 'bigint'], ['fee', 'bigint'], ['size', 'bigint']], ['legacy', '1', '20', '300'], ['blob', '2', '10', '900']);
const long = result([['kind', 'varchar'], ['measure', 'varchar'], ['n', 'bigint']], ['legacy', 'gas', '1'], ['legacy', 'fee', '20'], ['blob', 'gas', '2'], ['blob', 'size', '900']);
const shapes = (from: typeof wide, change: Partial<RadarOptions> = {}) => modelOf(transform(from, { ...defaults(from), ...change })).shapes.map((shape) => [shape.name, shape.values.map(digits)]);

describe('radar', () => {
  it('makes indicators of columns', () => {
    expect(shapes(wide)).toEqual([['legacy', ['1', '20', '300']], ['blob', ['2', '10', '900']]]);
    expect(shapes(swapped(wide, 'fee', 0, 1))).not.toEqual(shapes(wide));
    expect(modelOf(transform(wide, defaults(wide))).indicators.map(({ name, max }) => [name, max])).toEqual([['gas', 2], ['fee', 20], ['size', 900]]);
  });
  it('makes indicators of the names in two categories and a number', () => {
    expect(defaults(long)).toMatchObject({ layout: 'long', name: 'kind', indicator: 'measure', value: 'n' });
    expect(shapes(long)).toEqual([['legacy', ['1', '20', null]], ['blob', ['2', null, '900']]]);
    expect(modelOf(transform(long, defaults(long))).indicators.map(({ max }) => max)).toEqual([900, 900, 900]);
  });
  it('asks for three indicators', () => {
    expect(problemOf(transform(wide, { ...defaults(wide), indicators: ['gas', 'fee'] }))).toEqual({ code: 'radarIndicators' });
    const two = { ...long, rows: long.rows.slice(0, 3) };
    expect(problemOf(transform(two, defaults(two)))).toEqual({ code: 'radarIndicators' });
  });
  it('refuses two rows of one place and says which shapes are left out', () => {
    expect(problemOf(transform({ ...wide, rows: [...wide.rows, ...wide.rows.slice(0, 1)] }, defaults(wide)))).toEqual({ code: 'duplicateName', values: { name: 'legacy' } });
    expect(problemOf(transform({ ...long, rows: [...long.rows, ['blob', 'gas', '7']] }, defaults(long)))).toEqual({ code: 'duplicatePair', values: { first: 'blob', second: 'gas' } });
    const one = modelOf(transform(wide, { ...defaults(wide), limit: 1 }));
    expect([one.shapes.map((shape) => shape.name), one.notes]).toEqual([['blob'], [{ code: 'shapesCut', values: { drawn: 1, all: 2 } }]]);
  });
});
