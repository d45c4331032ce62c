// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import type { Metric } from '../metrics';
import { TryIt } from './try-it';

const metric = (name: string) => ({ category: 'fees', metric: name, title: { en: name, zh: name }, resolutions: ['24h'] }) as unknown as Metric;

it('the answer of one metric is not shown as that of another, however late it comes', async () => {
  await startLanguage();
  await loadTexts('docs');
  const answers: (() => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise((resolve) => answers.push(() => resolve(new Response('[{"t":1,"v":7}]')))));
  const { rerender } = render(<TryIt metric={metric('gas-used-total')} headTime={null} />);
  fireEvent.click(screen.getByRole('button', { name: 'Send request' }));
  rerender(<TryIt metric={metric('gas-used-mean')} headTime={null} />);
  await act(async () => {
    answers[0]?.();
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect(screen.queryByRole('region', { name: 'Response' })).toBeNull();
  rerender(<TryIt metric={metric('gas-used-total')} headTime={null} />);
  expect((await screen.findByRole('region', { name: 'Response' })).textContent).toContain('"v":7');
  vi.unstubAllGlobals();
});
