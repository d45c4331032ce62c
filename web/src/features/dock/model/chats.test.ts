// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage, startLanguage } from '@/i18n';
import { errors as zh } from '@/i18n/zh/errors';
import { unread } from '@/live/chats';
import { live, type LiveMessage } from '@/live/socket';
import { chats, closeWindow, fillWindow, followChats, foldWindow, loadContacts, openWindow, sendLetter, setDraft, setInSight } from './chats';

const answer = (status: number, body: object) => vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })));

beforeEach(() => {
  chats.set(() => ({ contacts: null, threads: {}, windows: [], problems: {}, drafts: {} }));
});

/** Answers by what is asked for. */
const answerBy = ({ list, content }: { list: object[]; content: object[] }) =>
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(new Response(JSON.stringify({ status: 'success', data: url.includes('user/list') ? list : url.includes('content') ? content : true }), { headers: { 'Content-Type': 'application/json' } })),
  );

it('a window whose letters could not be loaded says why, until they are', async () => {
  await startLanguage();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  answer(500, { status: 'fail', code: 'some_code', msg: 'The disk is full.' });
  fillWindow('ada');
  await vi.waitFor(() => expect(chats.get().problems['ada']).toContain('The disk is full.'));
  expect(chats.get().threads['ada']).toBeUndefined();
  answer(200, { status: 'success', data: [] });
  fillWindow('ada');
  await vi.waitFor(() => expect(chats.get().threads['ada']).toBeDefined());
  expect(chats.get().problems).toEqual({});
  vi.unstubAllGlobals();
});

const ada = { username: 'ada', avatar: 'ada.png', content: 'hello', sendTime: 5, ifNotRead: true, unread: 2, online: true };

it('a chat opened without the list knows who is online, and is read whatever an older answer says', async () => {
  answerBy({ list: [ada, { ...ada, username: 'bob' }], content: [] });
  openWindow('ada');
  await vi.waitFor(() => expect(chats.get().contacts).not.toBeNull());
  expect(chats.get().contacts).toEqual([
    { ...ada, username: 'bob' },
    { ...ada, ifNotRead: false, unread: 0 },
  ]);
  vi.unstubAllGlobals();
});

it('what was written stays when the window is folded or closed, until the person leaves', () => {
  answerBy({ list: [], content: [] });
  const stop = followChats();
  openWindow('ada');
  setDraft('ada', 'half a thought');
  foldWindow('ada');
  closeWindow('ada');
  expect(chats.get().drafts).toEqual({ ada: 'half a thought' });
  stop();
  expect(chats.get().drafts).toEqual({});
  vi.unstubAllGlobals();
});

it('letters that come while nobody sees the window are unread until it is in sight', async () => {
  const told: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    if (url.includes('set-read')) told.push(url);
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', data: url.includes('user/list') ? [{ ...ada, content: 'news', sendTime: 9 }] : [] }), { headers: { 'Content-Type': 'application/json' } }));
  });
  let tell: (message: LiveMessage) => void = () => undefined;
  vi.spyOn(live, 'listen').mockImplementation((listener) => {
    tell = listener;
    return () => undefined;
  });
  const stop = followChats();
  chats.set((now) => ({ ...now, contacts: [{ ...ada, ifNotRead: false, unread: 0 }] }));
  openWindow('ada');
  expect(told).toHaveLength(1);
  setInSight(false);
  tell({ type: 'chat.message', data: { msg: 'news', from: 'ada', to: 'me', time: 9 } });
  expect([told.length, unread.get(), chats.get().contacts?.[0]?.unread]).toEqual([1, true, 1]);
  await loadContacts();
  expect(chats.get().contacts?.[0]?.unread).toBe(2);
  setInSight(true);
  expect([told.length, unread.get(), chats.get().contacts?.[0]?.unread]).toEqual([2, false, 0]);
  setInSight(false);
  setInSight(true);
  expect(told).toHaveLength(2);
  stop();
  vi.unstubAllGlobals();
});

it('why a letter was refused is said in the language of the page', async () => {
  answerBy({ list: [], content: [] });
  let tell: (message: LiveMessage) => void = () => undefined;
  vi.spyOn(live, 'listen').mockImplementation((listener) => {
    tell = listener;
    return () => undefined;
  });
  await startLanguage();
  await setLanguage('zh');
  const stop = followChats();
  sendLetter('ada', 'hello');
  const key = chats.get().threads['ada']?.letters[0]?.key ?? '';
  tell({ type: 'error', data: { time: key, code: 'too_many_letters', message: 'You write too fast; wait a moment.' } });
  expect(chats.get().threads['ada']?.letters[0]?.problem).toBe(zh.too_many_letters);
  stop();
  await setLanguage('en');
  vi.unstubAllGlobals();
});

describe('answers that come late', () => {
  /** What was asked for and not answered yet, the longest first. */
  let waiting: { url: string; answer: (data: unknown) => void }[];
  let tell: (message: LiveMessage) => void;
  let leave: () => void;
  const nextTo = (part: string) => vi.waitFor(() => {
    const at = waiting.findIndex(({ url }) => url.includes(part));
    expect(at).not.toBe(-1);
    return waiting.splice(at, 1)[0] as (typeof waiting)[number];
  });
  const letter = (id: number, comment: string) => ({ id, comment, commentFrom: 'ada', commentTime: id, ifRead: '是' });
  const texts = () => chats.get().threads['ada']?.letters.map(({ text }) => text);

  beforeEach(() => {
    waiting = [];
    vi.stubGlobal(
      'fetch',
      (url: string) =>
        new Promise((resolve) => {
          waiting.push({ url, answer: (data) => resolve(new Response(JSON.stringify({ status: 'success', data }), { headers: { 'Content-Type': 'application/json' } })) });
        }),
    );
    vi.spyOn(live, 'listen').mockImplementation((listener) => {
      tell = listener;
      return () => undefined;
    });
    leave = followChats();
  });
  afterEach(() => {
    leave();
    vi.unstubAllGlobals();
  });

  it('a list that was on its way when a letter came takes nothing back', async () => {
    chats.set((now) => ({ ...now, contacts: [{ ...ada, ifNotRead: false, unread: 0 }] }));
    void loadContacts();
    const old = await nextTo('user/list');
    tell({ type: 'chat.message', data: { msg: 'news', from: 'ada', to: 'me', time: 9 } });
    old.answer([{ ...ada, ifNotRead: false, unread: 0 }]);
    const fresh = await nextTo('user/list');
    expect(chats.get().contacts?.[0]).toMatchObject({ content: 'news', unread: 1 });
    expect(unread.get()).toBe(true);
    fresh.answer([{ ...ada, content: 'news', sendTime: 9, unread: 1 }]);
    await vi.waitFor(() => expect(chats.get().contacts?.[0]?.avatar).toBe('ada.png'));
    expect(chats.get().contacts?.[0]).toMatchObject({ content: 'news', unread: 1 });
  });

  it('a letter that came before the first list is in it', async () => {
    void loadContacts();
    const old = await nextTo('user/list');
    tell({ type: 'chat.message', data: { msg: 'news', from: 'ada', to: 'me', time: 9 } });
    old.answer([]);
    (await nextTo('user/list')).answer([{ ...ada, content: 'news' }]);
    await vi.waitFor(() => expect(chats.get().contacts).toMatchObject([{ content: 'news' }]));
  });

  it('that nothing is unread does not hold once a letter has come', async () => {
    const old = await nextTo('not-read');
    tell({ type: 'chat.message', data: { msg: 'news', from: 'ada', to: 'me', time: 9 } });
    old.answer(false);
    const fresh = await nextTo('not-read');
    expect(unread.get()).toBe(true);
    fresh.answer(true);
  });

  it('a letter that came while a chat was on its way is in it, whichever answer comes last', async () => {
    openWindow('ada');
    const old = await nextTo('content');
    tell({ type: 'chat.message', data: { msg: 'news', from: 'ada', to: 'me', time: 9 } });
    (await nextTo('content')).answer([letter(5, 'hello'), letter(9, 'news')]);
    await vi.waitFor(() => expect(texts()).toEqual(['hello', 'news']));
    old.answer([letter(5, 'hello')]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(texts()).toEqual(['hello', 'news']);
  });

  it('what was asked for somebody who has left is shown to nobody', async () => {
    openWindow('ada');
    const [list, letters] = [await nextTo('user/list'), await nextTo('content')];
    leave();
    list.answer([ada]);
    letters.answer([letter(5, 'hello')]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(chats.get()).toMatchObject({ contacts: null, threads: {} });
    expect(unread.get()).toBe(false);
  });
});
