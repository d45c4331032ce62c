/** What opens above a page takes the keyboard to its first control, not to its frame or its cross. */
import { useCallback, useEffect, useRef, type RefObject } from 'react';

/** What can be worked with, unlike the frames of lists and groups that take the focus, too; of radio buttons the chosen one. */
const controls = 'a[href], button:enabled, input:enabled:not([type="radio"]), input[type="radio"]:checked, select:enabled, textarea:enabled, [role="tab"], [role="treeitem"]';

/** `start` is to be called again once all is in its place: what is still coming in may not take the focus. */
export function useFirstControl(open: boolean): { body: RefObject<HTMLDivElement | null>; start: () => void } {
  const body = useRef<HTMLDivElement>(null);
  const start = useCallback(() => {
    // A finger that opens something wants to see it, not the keys that a field would bring up.
    if (matchMedia('(pointer: coarse)').matches || body.current?.contains(document.activeElement)) return;
    const found = [...(body.current?.querySelectorAll<HTMLElement>(controls) ?? [])];
    found.find((one) => one.tabIndex >= 0 && one.checkVisibility())?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (open) start();
  }, [open, start]);
  return { body, start };
}
