// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { Notices } from './notices';

const chinese = vi.hoisted(() => vi.fn<() => object>());
vi.mock('@/i18n/zh', () => chinese());

it('a language whose texts do not come says so, and can be chosen again', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.spyOn(console, 'warn').mockReturnValue();
  await startLanguage();
  const { LanguageButton } = await import('./settings');
  chinese.mockImplementation(() => {
    throw new Error('offline');
  });
  render(
    <>
      <Notices />
      <LanguageButton />
    </>,
  );
  fireEvent.click(screen.getByRole('button', { name: /EN/ }));
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
  expect(document.documentElement.lang).toBe('en');
  chinese.mockReturnValue({ default: { shell: { switchLanguage: '切换到 English' } } });
  fireEvent.click(screen.getByRole('button', { name: /EN/ }));
  await screen.findByRole('button', { name: /中文/ });
});
