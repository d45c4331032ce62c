/** Texts for the clipboard, which pages over plain http reach only by the way of before. */

/** Puts the text on the clipboard; whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  // Missing outside of https and localhost, whatever its type says.
  // eslint-disable-next-line no-restricted-properties -- the one place that looks whether it is there
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (!clipboard) return copySelected(text);
    await clipboard.writeText(text);
    return true;
  } catch (error) {
    console.warn('The clipboard refused the text', error);
    return copySelected(text);
  }
}

/** Copies as if somebody had marked the text. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  // Outside of an open dialog nothing can be marked.
  const place = focused?.closest('dialog, [role="dialog"]') ?? document.querySelector('dialog[open]') ?? document.body;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  field.style.cssText = 'position: fixed; top: 0; opacity: 0';
  place.append(field);
  try {
    field.focus({ preventScroll: true });
    field.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way where there is no clipboard
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
