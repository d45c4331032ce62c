// Deleting with a moment to take it back: the server hears of it when the moment is over, or when the page closes.
import { createStore, useStore } from '@/lib/store';
import { deleteDashboard } from '../api';

export interface Deletion {
  readonly id: string;
  readonly title: string;
}

export const undoMs = 8_000;

const waiting = createStore<readonly Deletion[]>([]);
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export const useDeletions = (): readonly Deletion[] => useStore(waiting);

const drop = (id: string) => {
  clearTimeout(timers.get(id));
  timers.delete(id);
  waiting.set((now) => now.filter((one) => one.id !== id));
};

/** Hides the dashboard now and deletes it soon. */
export function deleteSoon(deletion: Deletion, onDone: () => void): void {
  waiting.set((now) => [...now.filter(({ id }) => id !== deletion.id), deletion]);
  const finish = () => {
    removeEventListener('pagehide', finish);
    if (!timers.has(deletion.id)) return;
    // Until the server's list is without it, it stays hidden here.
    clearTimeout(timers.get(deletion.id));
    deleteDashboard(deletion.id)
      .then(onDone, () => undefined)
      .finally(() => drop(deletion.id));
  };
  addEventListener('pagehide', finish);
  timers.set(deletion.id, setTimeout(finish, undoMs));
}

export const takeBack = (id: string): void => drop(id);
