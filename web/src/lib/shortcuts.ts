// One-key shortcuts and two-key sequences (`g` then `h`), which never fire while somebody writes.

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

/** Whether the key goes to something that takes text or has keys of its own. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="grid"], dialog') !== null;
}
