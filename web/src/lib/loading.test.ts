// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { inTime, isLoadFailure, loadStylesAgain, LoadTimeout, NotLoaded } from './loading';

afterEach(() => {
  vi.useRealTimers();
});

it('gives code two minutes to load', async () => {
  vi.useFakeTimers();
  const failed = expect(inTime(() => new Promise(() => undefined))).rejects.toBeInstanceOf(LoadTimeout);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await failed;
});

it('what gives up inside of another load does so first', async () => {
  vi.useFakeTimers();
  const loaded = inTime(() => inTime(() => new Promise<string>(() => undefined)).catch(() => 'plain'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await loaded).toBe('plain');
});

it('passes on what was loaded, and why it was not, and leaves no timer behind', async () => {
  vi.useFakeTimers();
  await expect(inTime(() => Promise.resolve('module'))).resolves.toBe('module');
  await expect(inTime(() => Promise.reject(new TypeError('gone')))).rejects.toThrow('gone');
  expect(vi.getTimerCount()).toBe(0);
});

it('knows the failures of its own', () => {
  expect(isLoadFailure(new LoadTimeout('late'))).toBe(true);
  expect(isLoadFailure(new NotLoaded(new Error('x is undefined')))).toBe(true);
});

it.each([
  'Failed to fetch dynamically imported module: https://quarry.example/assets/page-1.js',
  'error loading dynamically imported module',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/page-1.css',
])('knows "%s" as code that is not there', (message) => expect(isLoadFailure(new TypeError(message))).toBe(true));

it('does not take a bug for it', () => {
  expect(isLoadFailure(new TypeError('x is undefined'))).toBe(false);
  expect(isLoadFailure('text')).toBe(false);
});

it('asks again for styles that did not come, and waits for them', async () => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = '/assets/grid.css';
  document.head.append(link);
  const again = () => document.querySelector('link') as HTMLLinkElement;
  const failed = loadStylesAgain();
  expect(again()).not.toBe(link);
  expect(again().href).toBe(link.href);
  again().dispatchEvent(new Event('error'));
  await expect(failed).rejects.toThrow('/assets/grid.css');
  const came = loadStylesAgain();
  again().dispatchEvent(new Event('load'));
  await came;
  again().remove();
});
