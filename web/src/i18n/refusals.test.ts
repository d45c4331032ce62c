// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { setLanguage, startLanguage } from '.';
import { readyRefusals, refusalText } from './failures';

let arrive: (module: { default: object }) => void = () => {
  throw new Error('nobody has asked for them yet');
};
vi.mock('./zh/refusals.json', () => new Promise((resolve) => (arrive = resolve)));

it('a failure does not wait for sentences that do not come, and has them once they are there', async () => {
  await startLanguage();
  await setLanguage('zh');
  vi.useFakeTimers();
  const waits = readyRefusals('invalid_input');
  await vi.advanceTimersByTimeAsync(2_000);
  await waits;
  expect(refusalText('A rule gives 1 credit.')).toBeUndefined();
  vi.useRealTimers();
  await vi.waitFor(() => arrive({ default: { 'A rule gives {0} credit.': '规则的积分为 {0}。' } }));
  await readyRefusals('invalid_input');
  expect(refusalText('A rule gives 1 credit.')).toBe('规则的积分为 1。');
});
