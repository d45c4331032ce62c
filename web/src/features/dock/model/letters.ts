// One chat's letters: those of the server, and those on their way there.
import type { Schemas } from '@/api/call';

/** `sending` until the server acknowledges; `late` when it has not for five seconds or has refused. */
export type Delivery = 'sending' | 'late' | 'kept';

export interface Letter {
  /** The server's id, or what this page calls a letter it sent: `id@@@timestamp`. */
  key: string;
  text: string;
  mine: boolean;
  /** Milliseconds since 1970. */
  time: number;
  delivery: Delivery;
  /** The other person has read it. */
  read: boolean;
  /** Why the server refused it. */
  problem?: string | undefined;
  /** Sent by this page, and not told back to it yet. */
  unheard?: boolean;
}

export interface Thread {
  letters: readonly Letter[];
  /** The server's id of the oldest letter here; null before the first answer. */
  oldest: number | null;
  /** There is nothing older. */
  whole: boolean;
}

export const emptyThread: Thread = { letters: [], oldest: null, whole: false };
/** How long a letter may stay without acknowledgement, in milliseconds. */
export const ackMs = 5_000;
/** Letters that one call brings. */
export const historySize = 30;
const yes = '是';
/** How far the clocks of a page and the server may be apart, in milliseconds. */
const clockMs = 60_000;

const ofServer = (view: Schemas['LetterView'], me: string): Letter => ({
  key: String(view.id),
  text: view.comment,
  mine: view.commentFrom === me,
  time: view.commentTime,
  delivery: 'kept',
  read: view.ifRead === yes,
});

/** It came with an answer of the server, which alone knows its id. */
const ofAnswer = ({ key }: Letter): boolean => /^\d+$/.test(key);

/**
 * The newest letters as the server has them. An answer may be older than what this page has sent and heard since it
 * asked: that stays behind them, and what the answer has is not shown twice.
 */
export function withNewest(thread: Thread, page: readonly Schemas['LetterView'][], me: string): Thread {
  const known = page.map((view) => ofServer(view, me));
  const free = new Set(known);
  const newest = known.at(-1)?.time ?? 0;
  const missing = thread.letters.filter((letter) => {
    if (ofAnswer(letter)) return false;
    const same = [...free].find((one) => one.mine === letter.mine && one.text === letter.text && Math.abs(one.time - letter.time) < clockMs);
    if (same) free.delete(same);
    // One that was kept long before the newest is further back in the history.
    return !same && (letter.delivery !== 'kept' || letter.time > newest - clockMs);
  });
  return { letters: [...known, ...missing], oldest: page[0]?.id ?? null, whole: page.length < historySize };
}

/** Older letters before those that are there. */
export function withOlder(thread: Thread, page: readonly Schemas['LetterView'][], me: string): Thread {
  return { letters: [...page.map((view) => ofServer(view, me)), ...thread.letters], oldest: page[0]?.id ?? thread.oldest, whole: page.length < historySize };
}

/** An answer that was quicker than the news of the letter has it already. */
const has = ({ letters }: Thread, mine: boolean, text: string, time: number): boolean => letters.some((letter) => ofAnswer(letter) && letter.mine === mine && letter.text === text && letter.time === time);

export function withReceived(thread: Thread, text: string, time: number): Thread {
  if (has(thread, false, text, time)) return thread;
  const letter: Letter = { key: `in ${time} ${thread.letters.length}`, text, mine: false, time, delivery: 'kept', read: true };
  return { ...thread, letters: [...thread.letters, letter] };
}

/** A letter that leaves this page now. */
export function withSending(thread: Thread, key: string, text: string, time: number): Thread {
  return { ...thread, letters: [...thread.letters, { key, text, mine: true, time, delivery: 'sending', read: false, unheard: true }] };
}

/** The server tells every page of a person what was sent: here it is new only if another page sent it. */
export function withSent(thread: Thread, text: string, time: number): Thread {
  if (has(thread, true, text, time)) return thread;
  const own = thread.letters.findIndex((letter) => letter.unheard === true && letter.text === text);
  if (own === -1) {
    return { ...thread, letters: [...thread.letters, { key: `out ${time} ${thread.letters.length}`, text, mine: true, time, delivery: 'kept', read: false }] };
  }
  return { ...thread, letters: thread.letters.map((letter, index) => (index === own ? { ...letter, time, delivery: 'kept', unheard: false } : letter)) };
}

const change = (thread: Thread, key: string, next: (letter: Letter) => Letter): Thread =>
  thread.letters.some((letter) => letter.key === key) ? { ...thread, letters: thread.letters.map((letter) => (letter.key === key ? next(letter) : letter)) } : thread;

/** The server has kept it; a late acknowledgement counts too. */
export const acknowledged = (thread: Thread, key: string): Thread => change(thread, key, (letter) => ({ ...letter, delivery: 'kept', problem: undefined }));

/** No acknowledgement in time, or a refusal with its reason. */
export const undelivered = (thread: Thread, key: string, problem?: string): Thread =>
  change(thread, key, (letter) => (letter.delivery === 'kept' ? letter : { ...letter, delivery: 'late', ...(problem === undefined ? {} : { problem }) }));

/** Sent once more under the same name: the server keeps it once. */
export const again = (thread: Thread, key: string): Thread => change(thread, key, (letter) => ({ ...letter, delivery: 'sending' }));

/** The other person has read what is there. */
export const readByOther = (thread: Thread): Thread => ({ ...thread, letters: thread.letters.map((letter) => (letter.mine && letter.delivery === 'kept' ? { ...letter, read: true } : letter)) });
