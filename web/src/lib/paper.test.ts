// @vitest-environment jsdom
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { paperNow, pictured, printWhole, startPaper } from './paper';

beforeAll(startPaper);

beforeEach(() => {
  document.body.innerHTML = '<main></main>';
});

const main = () => document.querySelector('main') as HTMLElement;

it('the page knows that it is printed until it has been', () => {
  dispatchEvent(new Event('beforeprint'));
  expect([paperNow(), document.documentElement.dataset['paper']]).toEqual(['print', 'print']);
  dispatchEvent(new Event('afterprint'));
  expect([paperNow(), document.documentElement.dataset['paper']]).toEqual([null, undefined]);
});

it('prints once nothing is being loaded any more', async () => {
  const print = vi.fn(() => dispatchEvent(new Event('afterprint')));
  vi.stubGlobal('print', print);
  main().innerHTML = '<span data-loading></span>';
  const done = printWhole(main());
  // More frames than it waits for once nothing is being loaded.
  for (let frames = 0; frames < 8; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(print).not.toHaveBeenCalled();
  main().innerHTML = '';
  await done;
  expect(print).toHaveBeenCalledOnce();
  expect(paperNow()).toBeNull();
  vi.unstubAllGlobals();
});

it('a picture that fails leaves the page as it was', async () => {
  await expect(pictured(main(), () => Promise.reject(new Error('no canvas')))).rejects.toThrow('no canvas');
  expect(paperNow()).toBeNull();
});
