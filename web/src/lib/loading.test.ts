// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { isLoadFailure, loadStylesAgain, LoadTimeout, NotLoaded } from './loading';

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
