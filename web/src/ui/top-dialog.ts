/**
 * The browser's own modal dialogs, and an element that fills the screen, lie above all of the page and let nothing outside them be
 * seen or reached: what has to be goes into the topmost.
 */
import { useEffect, type RefObject } from 'react';
import { fullScreenElement, useFullScreenElement } from '@/lib/full-screen';
import { createStore, useStore } from '@/lib/store';

const open = createStore<readonly HTMLDialogElement[]>([]);

/** What lies above everything else; null while nothing does. */
export function useTop(): Element | null {
  const dialog = useStore(open).at(-1) ?? null;
  const full = useFullScreenElement();
  // Below a dialog nothing can be pressed: what fills the screen and is no part of it was there before.
  return dialog && !dialog.contains(full) ? dialog : full;
}

/** Where the list of a field opens, and what a drawer covers: inside of what lies above the page, if the field stands there. */
export function popupPlace(field?: HTMLElement): HTMLElement {
  const full = fullScreenElement();
  return field?.closest('dialog') ?? (full instanceof HTMLElement ? full : document.body);
}

/** Shows the dialog for as long as it is mounted. */
export function useShowModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    shown.showModal();
    open.set((now) => [...now, shown]);
    return () => {
      shown.close();
      open.set((now) => now.filter((one) => one !== shown));
    };
  }, [dialog]);
}
