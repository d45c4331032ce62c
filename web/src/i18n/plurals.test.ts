// @vitest-environment jsdom
import i18next from 'i18next';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadTexts, setLanguage, startLanguage } from '.';
import { bundles } from './bundles';
import english from './en';
import type { Bundle } from './texts';

beforeAll(async () => {
  await startLanguage();
  await loadTexts(...(Object.keys(bundles) as Bundle[]));
});
afterAll(() => setLanguage('en'));

/** All texts with their keys. */
function texts(of: object, before = ''): [string, string][] {
  return Object.entries(of).flatMap(([key, value]: [string, unknown]) => (typeof value === 'string' ? [[`${before}${key}`, value] as [string, string]] : texts(value as object, `${before}${key}.`)));
}

/** What counts a thing: there may be one of it. */
const counting = /\{\{(count|counted|rows|nodes|links|edges|requests|pages|transactions)\}\} (more )?(rows?|nodes?|links?|edges?|widgets?|blocks?|requests?|pages?|transactions?|values?|outliers?|metrics?|runs?|items?)\b/;

it('English tells one from many wherever things are counted', async () => {
  const all = texts(english);
  for (const bundle of Object.values(bundles)) all.push(...texts((await bundle.en()).default));
  const counted = all.filter(([, text]) => counting.test(text)).map(([key]) => key);
  expect(counted.length).toBeGreaterThan(30);
  expect(counted.filter((key) => !/_(one|other)$/.test(key) && !limits.includes(key))).toEqual([]);
});

/** Always many: more nodes than can be drawn. */
const limits = ['viz.problem.tooManyNodes'];

it('one thing is told as one, in both languages', async () => {
  const { t } = i18next;
  const told = () => [t('queries.schema.rows', { count: 1, rows: '1' }), t('jobs.readOf', { count: 1, rows: '1', bytes: '3 B' }), t('models.nodes', { count: 1, nodes: '1' }), t('viz.note.orphans', { count: 1, counted: '1' }), t('official.resolutions.1 Month')];
  expect(told()).toEqual(['1 row', '1 row, 3 B', '1 node', '1 node has a parent that is not in the result; it is shown at the top.', '1 Month']);
  await setLanguage('zh');
  expect(told()).toEqual(['1 行', '1 行，3 B', '1 个节点', '1 个节点的父级不在结果中，已放在顶层。', '1 个月']);
});
