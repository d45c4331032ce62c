import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type BoxplotOptions } from './options';
import { transform } from './transform';

const values = ['7', '1', '3', '5', '9', '100'];
const raw = result([['kind', 'varchar'], ['fee', 'bigint']], ...values.map((value) => ['a', value]), ['b', '2']);
const boxes = (from: typeof raw, change: Partial<BoxplotOptions> = {}) => modelOf(transform(from, { ...defaults(from), ...change })).boxes.map((box) => [box.name, box.five.map(digits), box.outliers.map((one) => digits(one.value))]);

describe('box plot', () => {
  it('finds quartiles exactly, whiskers within 1.5 box heights and what lies beyond', () => {
    expect(boxes(raw)[0]).toEqual(['a', ['1', '3.50', '6.00', '8.50', '9'], ['100']]);
    expect(boxes(raw, { whiskers: 'minMax' })[0]).toEqual(['a', ['1', '3.50', '6.00', '8.50', '100'], []]);
    expect(boxes(swapped(raw, 'fee', 0, 6))).not.toEqual(boxes(raw));
  });
  it('keeps numbers of 77 digits exact between two values', () => {
    const wei = result([['wei', 'uint256']], ['115792089237316195423570985008687907853269984665640564039457584007913129639934'], ['115792089237316195423570985008687907853269984665640564039457584007913129639935']);
    expect(boxes(wei)[0]?.[1]).toContain('115792089237316195423570985008687907853269984665640564039457584007913129639934.50');
  });
  it('warns of groups with few values', () => {
    expect(modelOf(transform(raw, defaults(raw))).notes).toEqual([{ code: 'fewValues', values: { names: 'b', count: 1 } }]);
  });
  it('keeps the groups with the most values', () => {
    const many = result([['who', 'varchar'], ['n', 'bigint']], ...Array.from({ length: 5_000 }, (_, at) => [at < 6 ? 'most' : `w${at}`, String(at)]));
    const model = modelOf(transform(many, { ...defaults(many), category: 'who' }));
    expect([model.boxes.length, model.boxes[0]?.name, model.notes[0]]).toEqual([60, 'most', { code: 'boxesCut', values: { drawn: 60, all: 4_995 } }]);
  });
  it('takes five columns by their names and checks their order', () => {
    const five = result([['kind', 'varchar'], ['min', 'int'], ['q1', 'int'], ['median', 'int'], ['q3', 'int'], ['max', 'int']], ['a', 1, 2, 3, 4, 5]);
    expect(defaults(five).layout).toBe('five');
    expect(boxes(five)).toEqual([['a', ['1', '2', '3', '4', '5'], []]]);
    const wrong = result([['kind', 'varchar'], ['min', 'int'], ['q1', 'int'], ['median', 'int'], ['q3', 'int'], ['max', 'int']], ['a', 1, 4, 3, 4, 5]);
    expect(problemOf(transform(wrong, defaults(wrong)))).toEqual({ code: 'notAscending', values: { name: 'a' } });
  });
});
