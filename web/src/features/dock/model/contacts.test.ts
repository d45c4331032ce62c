import { expect, it } from 'vitest';
import { read, received, sent, sorted, type Contact } from './contacts';

const contact = (username: string, sendTime: number, unread = 0): Contact => ({ username, avatar: '', content: '', sendTime, ifNotRead: unread > 0, unread, online: false });
const names = (contacts: readonly Contact[]) => contacts.map((one) => one.username);
const people = [contact('ada', 30), contact('bob', 20, 1), contact('eve', 10)];

it('stands unread people first, then the latest', () => expect(names(sorted(people))).toEqual(['bob', 'ada', 'eve']));

it('makes a person who writes unread and online, and moves them up', () => {
  const after = received(people, 'eve', { msg: 'hey', time: 40 }, false);
  expect(names(after)).toEqual(['eve', 'bob', 'ada']);
  expect(after[0]).toMatchObject({ content: 'hey', unread: 1, ifNotRead: true, online: true });
});

it('counts a letter once that the list had before the news of it came', () => {
  const [first] = received(people, 'eve', { msg: 'hey', time: 40 }, false);
  const known = first ? [first] : [];
  expect(received(known, 'eve', { msg: 'hey', time: 40 }, false)).toEqual(known);
  expect(received(known, 'eve', { msg: 'hey', time: 41 }, false)[0]?.unread).toBe(2);
});

it('keeps the later of two letters that the list had before the news of the first came', () => {
  const known: Contact[] = [{ ...contact('eve', 41, 2), content: 'and you?' }];
  const first = received(known, 'eve', { msg: 'hey', time: 40 }, false);
  expect(first).toEqual([{ ...known[0], online: true }]);
  expect(received(first, 'eve', { msg: 'and you?', time: 41 }, false)).toEqual(first);
});

it('shows a letter of the open chat as read', () => {
  const after = received(people, 'bob', { msg: 'hey', time: 40 }, true);
  expect(after[0]).toMatchObject({ username: 'bob', unread: 0, ifNotRead: false, online: true });
});

it('takes in people who were not there', () => expect(names(received(people, 'new', { msg: 'x', time: 1 }, false))).toEqual(['bob', 'new', 'ada', 'eve']));

it('does not make unread whom one writes to', () => expect(sent(people, 'eve', { msg: 'x', time: 50 }).find((one) => one.username === 'eve')).toMatchObject({ unread: 0, content: 'x' }));

it('is read at once', () => expect(names(read(people, 'bob'))).toEqual(['ada', 'bob', 'eve']));
