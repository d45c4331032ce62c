// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { PageField } from './page-field';

afterEach(cleanup);

it('goes to the page with Enter and on leaving, keeps the focus, and follows the page on show', async () => {
  await startLanguage();
  await loadTexts('papers');
  const onGo = vi.fn<(page: number) => void>();
  const field = (current: number) => <PageField current={current} pages={9} onGo={onGo} />;
  const { rerender } = render(field(1));
  const input = screen.getByRole<HTMLInputElement>('textbox');
  input.focus();
  fireEvent.change(input, { target: { value: '4' } });
  // Scrolled meanwhile: what is typed stays.
  rerender(field(2));
  expect(input.value).toBe('4');
  fireEvent.submit(input);
  rerender(field(4));
  expect([input.value, document.activeElement]).toEqual(['4', input]);
  fireEvent.change(input, { target: { value: '7' } });
  fireEvent.blur(input);
  expect(onGo.mock.calls).toEqual([[4], [7]]);
  for (const nonsense of ['', '0', '10', '2.5', 'x']) {
    fireEvent.change(input, { target: { value: nonsense } });
    fireEvent.blur(input);
  }
  expect([onGo.mock.calls.length, input.value]).toEqual([2, '4']);
});
