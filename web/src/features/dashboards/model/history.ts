// Undo and redo: the states of a document one after the other; changes of one kind in quick succession are one step.

export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
  /** What the last change was about and when, so that typing is one step and not one per letter. */
  readonly last: { readonly about: string; readonly at: number } | null;
}

const MOST = 100;
const togetherMs = 1_000;

export const startHistory = <T>(now: T): History<T> => ({ past: [], now, future: [], last: null });

/** The document changed; `about` names what changed, such as the text of one widget. */
export function changed<T>(history: History<T>, next: T, about: string, at: number): History<T> {
  if (Object.is(next, history.now)) return history;
  const together = history.last !== null && history.last.about === about && at - history.last.at < togetherMs;
  const past = together ? history.past : [...history.past, history.now].slice(-MOST);
  return { past, now: next, future: [], last: { about, at } };
}

export function undo<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future], last: null };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future, last: null };
}
