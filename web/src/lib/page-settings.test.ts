// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { scaleFor, steppedScale } from './scale';
import { isFree, setOneKey, shortcutReader, takesKeys } from './shortcuts';
import { themeFor } from './theme';

it.each([[1920, 1], [2560, 1], [1440, 0.75], [1280, 1280 / 1920], [1200, 0.625], [1199, 1199 / 1920], [960, 0.5], [768, 0.4], [767, 1], [390, 1]])('a page %d wide scales by %d', (width, scale) =>
  expect(scaleFor(width)).toBe(scale),
);

it('steps the scale so that resizing changes the theme rarely', () => {
  expect(steppedScale(0.7291)).toBe(0.75);
  expect(steppedScale(1)).toBe(1);
});

it('follows the system until a theme is chosen', () => {
  expect(themeFor(null, true)).toBe('dark');
  expect(themeFor(null, false)).toBe('light');
  expect(themeFor('light', true)).toBe('light');
  expect(themeFor('purple', true)).toBe('dark');
});

it('reads single keys and sequences, and forgets a start after a while', () => {
  const home = vi.fn();
  const sidebar = vi.fn();
  const read = shortcutReader(() => ({ 'g h': home, '[': sidebar }));
  expect(read('[', 0)).toBe(sidebar);
  expect(read('g', 10)).toBeUndefined();
  expect(read('h', 500)).toBe(home);
  expect(read('h', 600)).toBeUndefined();
  read('g', 1000);
  expect(read('h', 3000)).toBeUndefined();
});

it('leaves keys to fields', () => {
  const input = document.createElement('input');
  const inside = document.createElement('span');
  const editor = document.createElement('div');
  editor.setAttribute('contenteditable', 'true');
  editor.append(inside);
  expect(takesKeys(input)).toBe(true);
  expect(takesKeys(inside)).toBe(true);
  expect(takesKeys(document.body)).toBe(false);
});

it('leaves keys to what lies over the page, and to who has switched shortcuts off', () => {
  document.body.innerHTML = '<main></main><div role="dialog"><p></p></div><dialog></dialog>';
  const free = (selector: string, init: KeyboardEventInit = {}) => {
    let told: boolean | null = null;
    const hear = (event: KeyboardEvent) => (told = isFree(event));
    addEventListener('keydown', hear);
    document.querySelector(selector)?.dispatchEvent(new KeyboardEvent('keydown', { key: '[', bubbles: true, ...init }));
    removeEventListener('keydown', hear);
    return told;
  };
  expect([free('main'), free('[role="dialog"] p'), free('main', { ctrlKey: true })]).toEqual([true, false, false]);
  document.querySelector('dialog')?.setAttribute('open', '');
  expect(free('main')).toBe(false);
  document.querySelector('dialog')?.remove();
  setOneKey(false);
  expect([free('main'), localStorage.getItem('quarry.shortcuts')]).toEqual([false, 'off']);
  setOneKey(true);
  expect([free('main'), localStorage.getItem('quarry.shortcuts')]).toEqual([true, null]);
});
