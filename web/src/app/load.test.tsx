// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { page } from './load';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('says after two minutes that the code of a page does not come, and asks for it again when it shall', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  await startLanguage();
  vi.useFakeTimers();
  const load = vi.fn<() => Promise<{ Component: () => string }>>().mockReturnValue(new Promise(() => undefined));
  const router = createMemoryRouter([{ path: '/', lazy: page(load), HydrateFallback: () => null }]);
  render(<RouterProvider router={router} />);
  await act(() => vi.advanceTimersByTimeAsync(119_999));
  expect(screen.queryByRole('alert')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByRole('alert').textContent).toContain('could not be loaded');
  expect(load).toHaveBeenCalledTimes(1);
  load.mockResolvedValue({ Component: () => 'The page' });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await act(() => vi.advanceTimersByTimeAsync(100));
  screen.getByText('The page');
});

it('a page whose code did not come is asked for again without loading the whole anew', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  await startLanguage();
  const load = vi.fn<() => Promise<{ Component: () => string }>>().mockRejectedValue(new TypeError('Failed to fetch dynamically imported module: /assets/page.js'));
  const router = createMemoryRouter([{ path: '/', lazy: page(load), HydrateFallback: () => null }]);
  document.title = 'The page before · Quarry';
  render(<RouterProvider router={router} />);
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
  expect(document.title).toBe('Page not loaded · Quarry');
  screen.getByRole('button', { name: 'Reload' });
  const before = load.mock.calls.length;
  load.mockResolvedValue({ Component: () => 'The page' });
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await Promise.resolve();
  });
  await screen.findByText('The page');
  expect(load).toHaveBeenCalledTimes(before + 1);
});
