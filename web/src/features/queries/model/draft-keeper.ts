/** Keeps drafts on this device at once and on the server shortly after, one call at a time for each draft. */
import { ApiError } from '@/api/error';
import { deleteDraft, listDrafts, saveDraft } from '@/api/queries';
import { getSession, onSession } from '@/lib/session';
import { createStore } from '@/lib/store';
import { forgetDraft, fromStored, keepDraft, mergeDrafts, readDrafts, toStored, type Draft } from './drafts';

/** Where the present text is: on its way, on the server too, or on this device only. */
export type KeptState = 'kept' | 'keeping' | 'here';

const afterMs = 1_200;
const againMs = 10_000;

export const kept = createStore<KeptState>('kept');

const waiting = new Map<string, Draft>();
const sending = new Set<string>();
/** Thrown away: a save that was under way must not bring it back. */
const dropped = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps the draft on this device now, and on the server when its writer pauses. */
export function keep(draft: Draft): void {
  keepDraft(draft);
  dropped.delete(draft.id);
  waiting.set(draft.id, draft);
  kept.set(isMine(draft) ? 'keeping' : 'here');
  plan(afterMs);
}

/** What somebody wrote who has left by now is not told in the name of who is signed in after them: it waits until its writer is. */
const isMine = ({ owner }: Draft): boolean => getSession().account?.id === owner;
onSession(() => waiting.size > 0 && plan(afterMs));

function plan(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void sendAll(), ms);
}

/** Sends what waits now, as when the page goes. */
export async function sendAll(): Promise<void> {
  clearTimeout(timer);
  await Promise.all([...waiting.values()].filter((draft) => !sending.has(draft.id) && isMine(draft)).map(send));
}

const refused = (error: unknown): boolean => error instanceof ApiError && [400, 413, 422].includes(error.status);

async function send(draft: Draft): Promise<void> {
  waiting.delete(draft.id);
  sending.add(draft.id);
  try {
    await saveDraft(toStored(draft));
    if (dropped.has(draft.id)) await deleteDraft(draft.id);
    kept.set(waiting.size === 0 && sending.size === 1 ? 'kept' : 'keeping');
  } catch (error) {
    console.warn('The draft is on this device only', error);
    kept.set('here');
    // A newer text may wait by now; else this one is tried again, unless the server said that it never takes it: it is too long.
    if (!waiting.has(draft.id) && !refused(error)) waiting.set(draft.id, draft);
  } finally {
    sending.delete(draft.id);
    if (waiting.size > 0) plan(kept.get() === 'here' ? againMs : afterMs);
  }
}

/** Forgets the draft here and on the server; resolves when the server was told. */
export async function drop(id: string): Promise<void> {
  waiting.delete(id);
  dropped.add(id);
  forgetDraft(id);
  await deleteDraft(id).catch((error: unknown) => console.warn('The server keeps the draft', error));
}

/** An account's drafts of this device and of the server; only this device's while the server can't be reached. */
export async function allDrafts(owner: string): Promise<Draft[]> {
  const here = readDrafts(owner);
  try {
    const { items } = await listDrafts();
    return mergeDrafts(here, items.map((stored) => fromStored(stored, owner)));
  } catch (error) {
    console.warn('The drafts on the server could not be read', error);
    return here;
  }
}
