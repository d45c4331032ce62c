import { expect, it } from 'vitest';
import { look, modelOf, result } from '../fixture';
import { draw } from './draw';
import { defaults } from './options';
import { transform } from './transform';

const margin = (target: string, width = 280) => {
  const table = result([['source', 'varchar'], ['target', 'varchar'], ['n', 'int']], ['a', target, 1]);
  const options = defaults(table);
  const [series] = draw(modelOf(transform(table, options)), options, { ...look, width }, String as never).series as { right: number }[];
  return series?.right ?? 0;
};

it('the last names stand whole in a small card, and take no more room than they need in a large one', () => {
  expect(margin(`0x${'a'.repeat(40)}`)).toBeGreaterThan(85);
  expect(margin('b', 1_000)).toBeLessThan(30);
  expect(margin('a name of very many letters')).toBeLessThan(0.4 * 280);
});
