// The people of the chat list: unread first, then the latest.
import type { Schemas } from '@/api/call';

export type Contact = Schemas['ChatItem'];

export interface Message {
  msg: string;
  /** Milliseconds since 1970. */
  time: number;
}

export function sorted(contacts: readonly Contact[]): Contact[] {
  return [...contacts].sort((a, b) => Number(b.ifNotRead) - Number(a.ifNotRead) || b.sendTime - a.sendTime);
}

function put(contacts: readonly Contact[], username: string, next: (before: Contact) => Contact): Contact[] {
  const before = contacts.find((contact) => contact.username === username) ?? { username, avatar: '', content: '', sendTime: 0, ifNotRead: false, unread: 0, online: false };
  return sorted([...contacts.filter((contact) => contact.username !== username), next(before)]);
}

/** Somebody wrote: that person is online, and unread unless the chat is open. A list that was quicker than the letter has counted it, and may show a later one. */
export const received = (contacts: readonly Contact[], from: string, { msg, time }: Message, open: boolean): Contact[] =>
  put(contacts, from, (before) => {
    const counted = before.unread > 0 && (time < before.sendTime || (time === before.sendTime && before.content === msg));
    const shown = counted ? {} : { content: msg, sendTime: time };
    return { ...before, ...shown, online: true, ifNotRead: !open, unread: open ? 0 : before.unread + (counted ? 0 : 1) };
  });

export const sent = (contacts: readonly Contact[], to: string, { msg, time }: Message): Contact[] => put(contacts, to, (before) => ({ ...before, content: msg, sendTime: time }));

/** The letters of one person were read, here or on another page. */
export const read = (contacts: readonly Contact[], from: string): Contact[] =>
  sorted(contacts.map((contact) => (contact.username === from ? { ...contact, ifNotRead: false, unread: 0 } : contact)));
