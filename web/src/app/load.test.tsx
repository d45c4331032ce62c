// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { LoadTimeout } from '@/lib/loading';
import { inTime, page } from './load';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('gives a page two minutes to load', async () => {
  vi.useFakeTimers();
  const failed = expect(inTime(() => new Promise(() => undefined))()).rejects.toBeInstanceOf(LoadTimeout);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await failed;
});

it('passes on what was loaded, and why it was not, and leaves no timer behind', async () => {
  vi.useFakeTimers();
  await expect(inTime(() => Promise.resolve('module'))()).resolves.toBe('module');
  await expect(inTime(() => Promise.reject(new TypeError('gone')))()).rejects.toThrow('gone');
  expect(vi.getTimerCount()).toBe(0);
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
