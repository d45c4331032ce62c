// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { chats, fillWindow } from './chats';

const answer = (status: number, body: object) => vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })));

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
