// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { copyText } from './copy';

/** What the browser's own command found marked, and where. */
let marked: string | undefined;
let inDialog: boolean;

/** jsdom has neither a clipboard nor the command. */
function browser({ clipboard, command }: { clipboard?: (text: string) => Promise<void>; command: boolean }) {
  vi.stubGlobal('navigator', { clipboard: clipboard && { writeText: clipboard } });
  const execCommand = () => {
    const field = document.activeElement;
    marked = field instanceof HTMLTextAreaElement ? field.value.slice(field.selectionStart, field.selectionEnd) : undefined;
    inDialog = field?.closest('dialog') !== null;
    return command;
  };
  Object.assign(document, { execCommand });
}

beforeEach(() => {
  marked = undefined;
  document.body.innerHTML = '<button>Copy</button>';
  document.querySelector('button')?.focus();
});
afterEach(() => vi.unstubAllGlobals());

it('uses the clipboard where there is one', async () => {
  const clipboard = vi.fn(() => Promise.resolve());
  browser({ clipboard, command: true });
  expect(await copyText('0xab')).toBe(true);
  expect(clipboard).toHaveBeenCalledExactlyOnceWith('0xab');
  expect(marked).toBeUndefined();
});

it('copies over plain http too, leaves nothing on the page and the focus where it was', async () => {
  browser({ command: true });
  expect(await copyText('a\nb')).toBe(true);
  expect(marked).toBe('a\nb');
  expect(document.body.innerHTML).toBe('<button>Copy</button>');
  expect(document.activeElement).toBe(document.querySelector('button'));
});

it('copies what the clipboard refused, and tells when that fails too', async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const clipboard = () => Promise.reject(new Error('no'));
  browser({ clipboard, command: true });
  expect(await copyText('x')).toBe(true);
  browser({ clipboard, command: false });
  expect(await copyText('x')).toBe(false);
});

it('copies out of an open dialog, around which nothing can be marked', async () => {
  document.body.innerHTML = '<dialog open><button>Copy</button></dialog>';
  document.querySelector('button')?.focus();
  browser({ command: true });
  expect(await copyText('x')).toBe(true);
  expect([marked, inDialog]).toEqual(['x', true]);
});
