// The chats of this page: people, letters and windows in one store, fed by the websocket and by what the person does.
import { call } from '@/api/call';
import { ApiError, messageOf } from '@/api/error';
import { unread } from '@/live/chats';
import { live, type LiveMessage } from '@/live/socket';
import { createStore } from '@/lib/store';
import { getSession } from '@/lib/session';
import { read, received, sent, sorted, type Contact } from './contacts';
import {
  ackMs,
  acknowledged,
  again,
  emptyThread,
  historySize,
  readByOther,
  undelivered,
  withNewest,
  withOlder,
  withReceived,
  withSending,
  withSent,
  type Thread,
} from './letters';
import { closed, folded, isOpen, opened, type ChatWindow } from './windows';

interface Chats {
  /** Null until they were asked for. */
  contacts: readonly Contact[] | null;
  threads: Readonly<Record<string, Thread>>;
  windows: readonly ChatWindow[];
  /** Why the letters of somebody could not be loaded. */
  problems: Readonly<Record<string, string>>;
  /** What is written and not sent yet: folding or closing a window must not lose it. */
  drafts: Readonly<Record<string, string>>;
}

const nothing: Chats = { contacts: null, threads: {}, windows: [], problems: {}, drafts: {} };
export const chats = createStore<Chats>(nothing);

/** Stands between the receiver's name and the text; no name contains it. */
const separator = '@@@';
/** Two pages of one person never call two letters the same. */
const page = Math.random().toString(36).slice(2, 10);
let lastTime = 0;
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** Grows when a person leaves: an answer that comes after that is for somebody else. */
let visit = 0;
/** Grows with whatever is heard, written or read: an answer that was asked for before may lack it. */
let news = 0;
/** Whether the windows can be seen: the page shows the dock, and the browser the page. */
let inSight = true;
/** The list that is on its way. */
let list: Promise<void> | null = null;
/** How often the newest letters of somebody were asked for: only the last answer counts, answers overtake each other. */
const asked = new Map<string, number>();

const me = (): string => getSession().account?.name ?? '';

function setThread(userName: string, next: (thread: Thread) => Thread): void {
  chats.set((now) => ({ ...now, threads: { ...now.threads, [userName]: next(now.threads[userName] ?? emptyThread) } }));
}

/** Changes the letter of that name, whoever it is for. */
function setLetter(next: (thread: Thread) => Thread): void {
  chats.set((now) => ({ ...now, threads: Object.fromEntries(Object.entries(now.threads).map(([name, thread]) => [name, next(thread)])) }));
}

function setContacts(next: (contacts: readonly Contact[]) => readonly Contact[]): void {
  news += 1;
  chats.set((now) => ({ ...now, contacts: now.contacts && next(now.contacts) }));
  const { contacts } = chats.get();
  if (contacts) unread.set(contacts.some((contact) => contact.ifNotRead));
}

/** Whether what a person writes is read as it comes. */
const isSeen = (userName: string): boolean => inSight && isOpen(chats.get().windows, userName);

const report = (what: string) => (error: unknown) => console.warn(what, error);

/** Asks until an answer has everything that happened while it was on its way; `take` is told whether this one has. */
async function askAnew<T>(ask: () => Promise<T>, take: (answer: T, whole: boolean) => void): Promise<void> {
  const of = visit;
  let before: number;
  do {
    before = news;
    const answer = await ask();
    if (of !== visit) return;
    take(answer, before === news);
  } while (before !== news);
}

/** Asks whether anything is unread, which needs no list. */
export const checkUnread = (): Promise<void> =>
  askAnew(
    () => call('get', '/api/private/letter/is-exist-not-read-message', { quiet: true }),
    (any, whole) => whole && unread.set(any),
  );

/** The people as the server has them; while they are on their way, whoever wants them newer gets them asked for once more. */
export function loadContacts(): Promise<void> {
  news += list === null ? 0 : 1;
  const of = visit;
  list ??= askAnew(() => call('get', '/api/private/letter/user/list', { quiet: true }), takeContacts).finally(() => {
    if (of === visit) list = null;
  });
  return list;
}

function takeContacts(people: readonly Contact[], whole: boolean): void {
  const { contacts } = chats.get();
  // What is there has what was heard since; where nothing is there yet, the first answer is better than none.
  if (!whole && contacts !== null) return;
  // The answer may be older than the reading of a chat that is on show.
  const next = sorted(people.map((contact) => (isSeen(contact.username) ? { ...contact, ifNotRead: false, unread: 0 } : contact)));
  chats.set((now) => ({ ...now, contacts: next }));
  unread.set(next.some((contact) => contact.ifNotRead));
}

/** The newest letters of a chat; `older` asks for those before the ones that are there. */
export async function loadLetters(userName: string, older = false): Promise<void> {
  const of = visit;
  const oldest = chats.get().threads[userName]?.oldest;
  const before = older && typeof oldest === 'number' ? { before: oldest } : {};
  const turn = (asked.get(userName) ?? 0) + (older ? 0 : 1);
  asked.set(userName, turn);
  const views = await call('get', '/api/private/letter/chat/content', { query: { commentFrom: userName, size: historySize, ...before }, quiet: true });
  // Older letters belong before those that were there when they were asked for.
  if (of !== visit || asked.get(userName) !== turn) return;
  setThread(userName, (thread) => (older ? withOlder(thread, views, me()) : withNewest(thread, views, me())));
}

/** Loads the letters of a window, or notes why it shows none. */
export function fillWindow(userName: string): void {
  const note = (problems: Readonly<Record<string, string>>) => chats.set((now) => ({ ...now, problems: { ...Object.fromEntries(Object.entries(now.problems).filter(([name]) => name !== userName)), ...problems } }));
  note({});
  const of = visit;
  loadLetters(userName).catch((error: unknown) => {
    if (of === visit) note({ [userName]: messageOf(error) });
    report('The letters could not be loaded')(error);
  });
}

function setRead(userName: string): void {
  setContacts((contacts) => read(contacts, userName));
  const of = visit;
  call('post', '/api/private/letter/set-read', { query: { commentFrom: userName }, quiet: true })
    .then(() => (of !== visit || chats.get().contacts ? undefined : checkUnread()))
    .catch(report('The letters could not be marked as read'));
}

export function openWindow(userName: string): void {
  chats.set((now) => ({ ...now, windows: opened(now.windows, userName) }));
  fillWindow(userName);
  if (inSight) setRead(userName);
  // The list knows the picture and who is online; a chat can be opened without it.
  if (chats.get().contacts === null) loadContacts().catch(report('The chats could not be loaded'));
}

/** The windows come in sight or go out of it; what came meanwhile is read once they are seen. */
export function setInSight(next: boolean): void {
  if (inSight === next) return;
  inSight = next;
  const { contacts, windows } = chats.get();
  for (const { userName } of windows) {
    if (isSeen(userName) && contacts?.find((contact) => contact.username === userName)?.ifNotRead !== false) setRead(userName);
  }
}

export const setDraft = (userName: string, text: string): void => chats.set((now) => ({ ...now, drafts: { ...now.drafts, [userName]: text } }));

export const foldWindow = (userName: string): void => chats.set((now) => ({ ...now, windows: folded(now.windows, userName) }));
export const closeWindow = (userName: string): void => chats.set((now) => ({ ...now, windows: closed(now.windows, userName) }));

/** Sends a text; an empty one is not sent. */
export function sendLetter(userName: string, text: string): boolean {
  if (text.trim() === '') return false;
  lastTime = Math.max(Date.now(), lastTime + 1);
  const key = `${getSession().account?.id ?? ''}.${page}${separator}${lastTime}`;
  setThread(userName, (thread) => withSending(thread, key, text, lastTime));
  setContacts((contacts) => sent(contacts, userName, { msg: text, time: lastTime }));
  carry(userName, key, text);
  return true;
}

export function sendAgain(userName: string, key: string): void {
  const letter = chats.get().threads[userName]?.letters.find((one) => one.key === key);
  if (!letter) return;
  setThread(userName, (thread) => again(thread, key));
  carry(userName, key, letter.text);
}

function carry(userName: string, key: string, text: string): void {
  live.send({ type: 'chat.message', data: { msg: `${userName}${separator}${text}`, time: key } });
  clearTimeout(timers.get(key));
  timers.set(
    key,
    setTimeout(() => {
      timers.delete(key);
      setLetter((thread) => undelivered(thread, key));
    }, ackMs),
  );
}

interface ChatData {
  msg: string;
  time: number;
  from: string;
  to: string;
}

function hear({ type, data }: LiveMessage): void {
  if (type === 'chat.message') heard(data as ChatData);
  if (type === 'chat.sent') {
    const { to, msg, time } = data as ChatData;
    addLetter(to, (thread) => withSent(thread, msg, time));
    setContacts((contacts) => sent(contacts, to, { msg, time }));
    if (chats.get().threads[to]?.letters.length === 1) meet();
  }
  if (type === 'chat.ack') {
    const { time } = data as { time: string };
    clearTimeout(timers.get(time));
    timers.delete(time);
    setLetter((thread) => acknowledged(thread, time));
  }
  if (type === 'error') {
    const { time, code, message } = data as { time: string | null; code: string; message: string };
    if (time !== null) setLetter((thread) => undelivered(thread, time, messageOf(new ApiError(message, code, 0))));
  }
  if (type === 'chat.read') {
    const { by, from } = data as { by: string; from: string };
    if (by === me()) setContacts((contacts) => read(contacts, from));
    else setThread(by, readByOther);
  }
  if (type === 'resync') reload();
}

/** A letter that was heard goes behind those that are there; if they are still on their way, they may lack it. */
function addLetter(userName: string, next: (thread: Thread) => Thread): void {
  const { threads, windows } = chats.get();
  if (threads[userName]) setThread(userName, next);
  else if (windows.some((window) => window.userName === userName)) fillWindow(userName);
}

/** After the first letter from or to somebody: from then on the list has their picture, and whether they are online. */
function meet(): void {
  if (chats.get().contacts) loadContacts().catch(report('The chats could not be loaded'));
}

function heard({ from, msg, time }: ChatData): void {
  const known = chats.get().contacts?.some((contact) => contact.username === from);
  const seen = isSeen(from);
  addLetter(from, (thread) => withReceived(thread, msg, time));
  setContacts((contacts) => received(contacts, from, { msg, time }, seen));
  if (seen) setRead(from);
  else unread.set(true);
  if (known === false) meet();
}

/** After a broken connection: what was on its way goes out once more (the server keeps it once), and what is on show is asked for again. */
function reload(): void {
  const { contacts, windows, threads } = chats.get();
  for (const [userName, thread] of Object.entries(threads)) {
    for (const letter of thread.letters) if (letter.delivery === 'sending') carry(userName, letter.key, letter.text);
  }
  (contacts ? loadContacts() : checkUnread()).catch(report('The chats could not be loaded'));
  for (const { userName } of windows) fillWindow(userName);
}

/** Follows the websocket until told to stop: the person has left by then, and everything of theirs is forgotten. */
export function followChats(): () => void {
  checkUnread().catch(report('Unread letters could not be asked for'));
  const stopHearing = live.listen(hear);
  let state = live.state.get();
  const stopWatching = live.state.subscribe(() => {
    const before = state;
    state = live.state.get();
    if (state === 'open' && before !== 'open') reload();
  });
  return () => {
    stopHearing();
    stopWatching();
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
    visit += 1;
    list = null;
    asked.clear();
    chats.set(nothing);
    unread.set(false);
  };
}
