import { describe, expect, it } from 'vitest';
import { digits, modelOf, problemOf, result, swapped } from '../fixture';
import { defaults, type FunnelOptions } from './options';
import { transform } from './transform';

const table = result([['step', 'varchar'], ['n', 'bigint']], ['paid', '3'], ['seen', '12'], ['tried', '8']);
const steps = (change: Partial<FunnelOptions> = {}, from = table) => modelOf(transform(from, { ...defaults(from), ...change })).steps.map((step) => [step.name, digits(step.value), digits(step.share)]);

describe('funnel', () => {
  it('goes from the largest to the smallest, in percent of the first or the step before', () => {
    expect(steps()).toEqual([['seen', '12', '100.00'], ['tried', '8', '66.67'], ['paid', '3', '25.00']]);
    expect(steps({ percent: 'previous' })).toEqual([['seen', '12', '100.00'], ['tried', '8', '66.67'], ['paid', '3', '37.50']]);
    expect(steps({}, swapped(table, 'n', 0, 1))).not.toEqual(steps());
  });
  it('names what is wrong and what is cut', () => {
    expect(problemOf(transform({ ...table, rows: table.rows.slice(0, 1) }, defaults(table)))).toEqual({ code: 'fewSteps' });
    const negative = result([['step', 'varchar'], ['n', 'int']], ['a', 1], ['b', -1]);
    expect(problemOf(transform(negative, defaults(negative)))).toEqual({ code: 'negative', values: { name: 'b' } });
    expect(modelOf(transform(table, { ...defaults(table), limit: 2 })).notes).toEqual([{ code: 'stepsCut', values: { drawn: 2, all: 3 } }]);
  });
});
