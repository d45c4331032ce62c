// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { setLanguage, startLanguage } from '@/i18n';
import { errors as zh } from '@/i18n/zh/errors';
import { live, type LiveMessage } from '@/live/socket';
import { chats, closeWindow, fillWindow, followChats, foldWindow, openWindow, sendLetter, setDraft } from './chats';

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
