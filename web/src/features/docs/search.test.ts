// @vitest-environment jsdom
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { loadTexts, setLanguage, startLanguage } from '@/i18n';
import { searchIn } from './search';

const fetchMetrics = vi.hoisted(() => vi.fn());
vi.mock('./metrics', () => ({ fetchMetrics, inLanguage: (both: Record<string, string>, language: string) => both[language] }));
vi.mock('./source', () => ({ loadText: (_: string, id: string) => Promise.resolve({ title: id, lead: 'About gas.', date: '', blocks: [] }) }));

const metric = { category: 'fees', metric: 'gas-used-total', title: { en: 'Gas used', zh: '消耗的 Gas' }, definition: { en: 'All of it.', zh: '全部。' } };

beforeAll(async () => {
  await startLanguage();
  await setLanguage('zh');
  await loadTexts('docs');
});
beforeEach(() => fetchMetrics.mockReset());

it('without the metrics the pages are found, and the metrics the next time', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  fetchMetrics.mockRejectedValueOnce(new Error('offline')).mockResolvedValue({ metrics: [metric] });
  const first = await searchIn('zh', true);
  expect([first.whole, first.find('gas-used-total').map(({ to }) => to).includes('/developer-apis/fees-api/summary#gas-used-total')]).toEqual([false, false]);
  expect(first.find('gas').length).toBeGreaterThan(0);
  const second = await searchIn('zh', true);
  expect(second.whole).toBe(true);
  expect(second.find('gas-used-total')[0]).toMatchObject({ to: '/developer-apis/fees-api/summary#gas-used-total', title: 'API：费用' });
  expect(await searchIn('zh', true)).toBe(second);
});
