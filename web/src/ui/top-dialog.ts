/** The browser's own modal dialogs lie above all of the page and let nothing outside them be reached: what has to be goes into the topmost. */
import { useEffect, type RefObject } from 'react';
import { createStore, useStore } from '@/lib/store';

const open = createStore<readonly HTMLDialogElement[]>([]);

/** The dialog above everything else; null while there is none. */
export const useTopDialog = (): HTMLDialogElement | null => useStore(open).at(-1) ?? null;

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
