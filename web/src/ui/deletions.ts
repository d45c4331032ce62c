// Deleting with a way back: what is deleted leaves the lists at once, and the server when nobody has taken it back.
import type { QueryClient } from '@tanstack/react-query';
import { remove, type Card } from '@/api/creations';
import { cardsKey } from '@/api/favorites';
import { createStore, useStore } from '@/lib/store';
import { notify } from './notices';

type Doomed = Pick<Card, 'kind' | 'id'>;
const doomed = createStore<readonly Doomed[]>([]);

/** Ids of what is on its way out: lists leave it away. */
export const useDoomed = (): ReadonlySet<string> => new Set(useStore(doomed).map(({ id }) => id));

const forget = (one: Doomed) => doomed.set((now) => now.filter((other) => other !== one));

/** Takes the creation out of sight, says so, and deletes it when the notice has left; `lists` names the answers it was in. */
export function deleteLater(client: QueryClient, { kind, id }: Doomed, text: string, lists: string = cardsKey): void {
  const one = { kind, id };
  doomed.set((now) => [...now, one]);
  notify.undo(
    text,
    () => forget(one),
    () => {
      // A refusal is told by the popup, and the creation is back in its list.
      void remove(kind, id)
        .catch(() => undefined)
        .then(() => client.invalidateQueries({ queryKey: [lists] }))
        .then(() => forget(one));
    },
  );
}

// The page is being left: what waits for its notice is deleted now.
addEventListener('pagehide', () => {
  for (const { kind, id } of doomed.get()) void remove(kind, id, true).catch(() => undefined);
});
