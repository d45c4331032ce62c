// Deleting with a way back: what is deleted leaves the page at once, and the server when nobody has taken it back.
import type { QueryClient } from '@tanstack/react-query';
import { remove, type Card } from '@/api/creations';
import { cardsKey } from '@/api/favorites';
import { createStore, useStore } from '@/lib/store';
import { notify } from './notices';

interface Doomed {
  /** What it is called among all that is on its way out. */
  readonly id: string;
  /** Deletes it for good; `leaving` when the page is about to close: the call then outlives it. */
  readonly erase: (leaving: boolean) => Promise<unknown>;
}

const doomed = createStore<readonly Doomed[]>([]);

/** Ids of what is on its way out: lists leave it away. */
export const useDoomed = (): ReadonlySet<string> => new Set(useStore(doomed).map(({ id }) => id));

const forget = (one: Doomed) => doomed.set((now) => now.filter((other) => other !== one));

interface Ends {
  /** Somebody took it back. */
  back?: () => void;
  /** The server was told; what it answered may be read anew before the thing counts as gone. */
  gone?: () => Promise<unknown>;
}

/** Takes something out of sight, says so, and has it erased when the notice has left or the page is being left. */
export function eraseLater(one: Doomed, text: string, { back, gone }: Ends = {}): void {
  doomed.set((now) => [...now, one]);
  notify.undo(
    text,
    () => {
      forget(one);
      back?.();
    },
    () =>
      // A refusal is told by the popup, and the thing is in sight again.
      one
        .erase(false)
        .catch(() => undefined)
        .then(gone)
        .then(() => forget(one)),
  );
}

/** The same of a creation; `lists` names the answers it was in. */
export function deleteLater(client: QueryClient, { kind, id }: Pick<Card, 'kind' | 'id'>, text: string, lists: string = cardsKey): void {
  eraseLater({ id, erase: (leaving) => remove(kind, id, leaving) }, text, { gone: () => client.invalidateQueries({ queryKey: [lists] }) });
}

// The page is being left: what waits for its notice is deleted now.
addEventListener('pagehide', () => {
  for (const { erase } of doomed.get()) void erase(true).catch(() => undefined);
});
