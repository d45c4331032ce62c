// Marking things as favourites, on every page at once: what is shown changes before the server has answered.
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Schemas } from './call';

export type FavoriteKind = Schemas['EntityKind'];

/** What can be marked, and how the server last said it is marked. */
export interface Marked {
  kind: FavoriteKind;
  /** Id of a creation, a user name, or an address. */
  id: string;
  favorited: boolean;
  favorites: number;
  /** The token of the share link that opens it, where one was used. */
  share?: string | undefined;
}

/** The first part of the keys of all lists that show marks. */
export const cardsKey = 'cards';

/** What somebody has pressed: from what it was to what it shall be. */
interface Pressed extends Pick<Marked, 'kind' | 'id' | 'share'> {
  of: boolean;
  to: boolean;
  onChange: ((favorited: boolean) => void) | undefined;
}

export interface Favorite {
  favorited: boolean;
  favorites: number;
  toggle: () => void;
}

/** The mark as it is shown, and its switch. A refusal takes the change back; the popup says why. */
export function useFavorite({ kind, id, favorited, favorites, share }: Marked, onChange?: (favorited: boolean) => void): Favorite {
  const client = useQueryClient();
  const [change, setChange] = useState<Pressed | null>(null);
  // It holds until the server's own answer arrives with other props, and for this one thing: a row of a list is soon another's.
  const holds = change !== null && change.kind === kind && change.id === id && change.of === favorited;
  if (change !== null && !holds) setChange(null);
  const shown = holds ? change.to : favorited;
  const { mutate } = useMutation({
    // What was pressed goes along: by the time of the answer another thing may stand in its row.
    mutationFn: (pressed: Pressed) => mark(pressed.kind, pressed.id, pressed.to, pressed.share),
    // One after the other: of two that are on their way at once, the first could come last.
    scope: { id: `favorite ${kind} ${id}` },
    onMutate: (pressed) => setChange(pressed),
    onError: () => setChange(null),
    onSuccess: (_, pressed) => {
      spread(client, pressed.kind, pressed.id, pressed.to);
      pressed.onChange?.(pressed.to);
    },
  });
  return { favorited: shown, favorites: favorites + Number(shown) - Number(favorited), toggle: () => mutate({ kind, id, share, of: favorited, to: !shown, onChange }) };
}

const mark = (kind: FavoriteKind, id: string, to: boolean, share?: string): Promise<unknown> => (to ? call('post', '/api/favorite/add', { body: { kind, id, share } }) : call('post', '/api/favorite/remove', { body: { kind, id } }));

/** Marks again what was just taken out of the favourites. */
export async function markAgain(client: QueryClient, kind: FavoriteKind, id: string): Promise<void> {
  await mark(kind, id, true);
  spread(client, kind, id, true);
}

/** Writes the mark into every list that is kept, and has the list of favourites asked for again. */
function spread(client: QueryClient, kind: FavoriteKind, id: string, to: boolean): void {
  client.setQueriesData({ queryKey: [cardsKey] }, (data: unknown) => withMark(data, kind, id, to));
  void client.invalidateQueries({ queryKey: [cardsKey, 'favorites'] });
}

/** A copy of some answer in which the one thing is marked or not; the same object when it does not show that thing. */
export function withMark<T>(data: T, kind: FavoriteKind, id: string, to: boolean): T {
  if (Array.isArray(data)) {
    const all = data as unknown[];
    const copies = all.map((one) => withMark(one, kind, id, to));
    return copies.some((copy, at) => copy !== all[at]) ? (copies as T) : data;
  }
  if (typeof data !== 'object' || data === null) return data;
  let copy = data as Record<string, unknown>;
  for (const [name, value] of Object.entries(data as Record<string, unknown>)) {
    const inside = withMark(value, kind, id, to);
    if (inside !== value) copy = { ...copy, [name]: inside };
  }
  if (!isIt(copy, kind, id) || copy['favorited'] === to) return copy as T;
  // A creator's stars are those of what they made: they stay.
  const { favorites } = copy;
  return { ...copy, favorited: to, ...(typeof favorites === 'number' ? { favorites: favorites + (to ? 1 : -1) } : {}) } as T;
}

function isIt(thing: Record<string, unknown>, kind: FavoriteKind, id: string): boolean {
  if (typeof thing['favorited'] !== 'boolean') return false;
  if (kind === 'user') return thing['kind'] === undefined && thing['userName'] === id;
  if (kind === 'address') return thing['address'] === id;
  return thing['kind'] === kind && thing['id'] === id;
}
