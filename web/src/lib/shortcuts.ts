// One-key shortcuts and two-key sequences (`g` then `h`), which never fire while somebody writes.
import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';

export type Shortcuts = Record<string, () => void>;
const sequenceMs = 1200;

/** Reads keys one after the other: returns what to run, if anything, for a key pressed at `now`. */
export function shortcutReader(shortcuts: () => Shortcuts): (key: string, now: number) => (() => void) | undefined {
  let before: { key: string; at: number } | undefined;
  return (key, now) => {
    const first = before && now - before.at <= sequenceMs ? before.key : undefined;
    const known = shortcuts();
    const found = (first === undefined ? undefined : known[`${first} ${key}`]) ?? known[key];
    const starts = Object.keys(known).some((name) => name.startsWith(`${key} `));
    before = !found && starts ? { key, at: now } : undefined;
    return found;
  };
}

const storedAs = 'quarry.shortcuts';
const oneKey = createStore(readStored(storedAs) !== 'off');

/** Whether keys alone do something: who speaks to the computer, or hits keys unawares, switches them off. */
export const useOneKey = (): boolean => useStore(oneKey);

export function setOneKey(on: boolean): void {
  writeStored(storedAs, on ? null : 'off');
  oneKey.set(on);
}

/** Whether the key goes to something that takes text or has keys of its own. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="grid"], dialog, [role="dialog"], [role="alertdialog"]') !== null;
}

/** Whether a key pressed alone is free for a shortcut: nobody writes, nothing lies over the page, and they are wanted. */
export function isFree(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || takesKeys(event.target)) return false;
  return oneKey.get() && document.querySelector('dialog[open]') === null;
}
