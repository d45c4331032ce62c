import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isLoadFailure, LoadTimeout, page } from './load';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('gives a page two minutes to load', async () => {
  const failed = expect(page(() => new Promise(() => undefined))()).rejects.toBeInstanceOf(LoadTimeout);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await failed;
});

it('passes on what was loaded, and why it was not, and leaves no timer behind', async () => {
  await expect(page(() => Promise.resolve('module'))()).resolves.toBe('module');
  await expect(page(() => Promise.reject(new TypeError('gone')))()).rejects.toThrow('gone');
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  'Failed to fetch dynamically imported module: https://quarry.example/assets/page-1.js',
  'error loading dynamically imported module',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/page-1.css',
])('knows "%s" as an update', (message) => expect(isLoadFailure(new TypeError(message))).toBe(true));

it('does not take a bug for an update', () => {
  expect(isLoadFailure(new TypeError('x is undefined'))).toBe(false);
  expect(isLoadFailure('text')).toBe(false);
});
