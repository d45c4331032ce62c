/** The drafts that this window has open, as tabs. They outlive the page: who goes elsewhere and comes back finds them as they were. */
import { createStore, useStore } from '@/lib/store';
import { drop, keep, sendAll } from './draft-keeper';
import { keptId, newId, readDrafts, sameWork, type Draft } from './drafts';

interface Tabs {
  /** Whose tabs these are. */
  readonly owner: string;
  readonly drafts: readonly Draft[];
  readonly active: string;
}

/** Of each account its own: when a login ends the page is a visitor's for a moment, whose tabs must not take the place of what was open. */
const windowKey = (owner: string) => `quarry.tabs.${owner}`;
const keepAfterMs = 300;
const none: Tabs = { owner: '', drafts: [], active: '' };

const tabs = createStore<Tabs>(none);
const changed = new Set<string>();
/** When the drafts on this device were last changed, as far as this window knows, by what they are kept under. */
const seen = new Map<string, number>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** The page is going: what is told from now on is written down at once. */
let going = false;

export const useTabs = (): Tabs => useStore(tabs);

function rememberWindow(): void {
  const { owner, drafts, active } = tabs.get();
  const kept = drafts.filter((draft) => draft.viewing === undefined);
  const front = kept.find((draft) => draft.id === active);
  sessionStorage.setItem(windowKey(owner), JSON.stringify({ open: kept.map(keptId), active: front ? keptId(front) : '' }));
}

function windowTabs(owner: string): { open: string[]; active: string } {
  try {
    const stored = JSON.parse(sessionStorage.getItem(windowKey(owner)) ?? '{}') as { open?: unknown; active?: unknown };
    const open = Array.isArray(stored.open) ? stored.open.filter((id): id is string => typeof id === 'string') : [];
    return { open, active: typeof stored.active === 'string' ? stored.active : '' };
  } catch {
    return { open: [], active: '' };
  }
}

/** Takes up the tabs that this window had open before a reload; another account begins with its own. */
export function startTabs(owner: string): void {
  if (tabs.get().owner === owner) return;
  // What was typed a moment ago belongs to who is leaving.
  flushTabs();
  const { open, active } = windowTabs(owner);
  const known = new Map(readDrafts(owner).map((draft) => [draft.id, draft]));
  const drafts = open.flatMap((id) => known.get(id) ?? []);
  for (const draft of drafts) seen.set(draft.id, draft.changed);
  tabs.set({ owner, drafts, active: drafts.some((draft) => draft.id === active) ? active : (drafts.at(-1)?.id ?? '') });
}

/** Writes down what changed since the last time. */
export function flushTabs(): void {
  clearTimeout(timer);
  for (const draft of tabs.get().drafts) if (changed.has(draft.id)) keep(asKept(draft));
  changed.clear();
}

/** The draft as it is kept: under another id from now on where another window has written a text of its own in the meantime. */
function asKept(draft: Draft): Draft {
  const there = readDrafts(draft.owner).find(({ id }) => id === keptId(draft));
  const apart = there !== undefined && there.changed !== seen.get(there.id) && !sameWork(there, draft);
  const id = apart ? newId() : keptId(draft);
  if (apart) {
    tabs.set((now) => ({ ...now, drafts: now.drafts.map((one) => (one.id === draft.id ? { ...one, keptAs: id } : one)) }));
    rememberWindow();
  }
  seen.set(id, draft.changed);
  return id === draft.id ? draft : { ...draft, id, keptAs: id };
}

/** The page goes: what is not on the server yet is sent along, also what the editor tells only after this. */
export function leaveTabs(): void {
  going = true;
  flushTabs();
  void sendAll();
}

/** The page is here again, as it was when it went. */
export function returnToTabs(): void {
  going = false;
}

function note(id: string): void {
  changed.add(id);
  clearTimeout(timer);
  if (going) leaveTabs();
  else timer = setTimeout(flushTabs, keepAfterMs);
}

export function changeDraft(id: string, change: Partial<Draft>): void {
  const known = tabs.get().drafts.find((draft) => draft.id === id);
  if (!known) return;
  const next = { ...known, ...change, changed: Date.now() };
  tabs.set((now) => ({ ...now, drafts: now.drafts.map((draft) => (draft.id === id ? next : draft)) }));
  if (next.viewing === undefined) note(id);
}

/** Brings a draft to the front; one that is open already stays as it is in its tab. */
export function openDraft(draft: Draft): void {
  const { drafts } = tabs.get();
  const there = drafts.find((one) => keptId(one) === draft.id);
  // A tab may have begun as this draft and be kept apart since.
  const next = there ?? (drafts.some((one) => one.id === draft.id) ? { ...draft, id: newId(), keptAs: draft.id } : draft);
  if (!there) {
    const kept = readDrafts(draft.owner).find(({ id }) => id === draft.id);
    seen.set(draft.id, Math.min(kept?.changed ?? Infinity, draft.changed));
  }
  tabs.set((now) => ({ ...now, drafts: there ? now.drafts : [...now.drafts, next], active: next.id }));
  rememberWindow();
}

export function selectTab(id: string): void {
  tabs.set((now) => ({ ...now, active: id }));
  rememberWindow();
}

/** Takes a draft out of the window; it stays among the drafts unless it is `forgotten`. */
export function closeTab(id: string, forgotten = false): void {
  flushTabs();
  const closed = tabs.get().drafts.find((draft) => draft.id === id);
  tabs.set((now) => {
    const at = now.drafts.findIndex((draft) => draft.id === id);
    const drafts = now.drafts.filter((draft) => draft.id !== id);
    const active = now.active === id ? ((drafts[at] ?? drafts.at(-1))?.id ?? '') : now.active;
    return { ...now, drafts, active };
  });
  rememberWindow();
  if (forgotten && closed) void drop(keptId(closed));
}

/** The open draft of a saved query, or of this job. */
export const findTab = (matches: (draft: Draft) => boolean): Draft | undefined => tabs.get().drafts.find(matches);
