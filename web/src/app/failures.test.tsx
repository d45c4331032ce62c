// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { request } from '@/api/request';
import { startLanguage } from '@/i18n';
import { getSession, signIn } from '@/lib/session';
import { Notices } from '@/ui/notices';
import { Interruptions, startFailures } from './failures';

const refuse = (status: number, code: string, msg: string) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ status: 'fail', code, msg, data: null }), { status, headers: { 'Content-Type': 'application/json' } })));

const callTenTimes = () =>
  act(async () => {
    await Promise.allSettled(Array.from({ length: 10 }, () => request('GET', '/api/x')));
  });

beforeEach(async () => {
  // jsdom has the element without its methods.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  await startLanguage();
  startFailures();
  history.replaceState(null, '', '/home');
  render(
    <>
      <Notices />
      <Interruptions />
    </>,
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('shows a failure once in a popup that can be closed', async () => {
  refuse(500, 'some_code', 'The disk is full.');
  await callTenTimes();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.getByRole('alert').textContent).toContain('The disk is full.');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says "Execute fail!" when the server says nothing', async () => {
  refuse(500, 'some_code', '');
  await callTenTimes();
  expect(screen.getByRole('alert').textContent).toContain('Execute fail!');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
});

it.each(['/auth/login', '/auth/register', '/auth/forget', '/auth/reset'])('keeps popups away from %s', async (path) => {
  history.replaceState(null, '', path);
  refuse(400, 'some_code', 'Wrong.');
  await callTenTimes();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('warns of a refusal in a dialog, and forgets the token it concerns', async () => {
  signIn('forged');
  refuse(401, 'unauthenticated', 'Please sign in first: 认证失败，无法访问系统资源');
  await callTenTimes();
  expect(screen.getAllByRole('alertdialog')).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'OK' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(getSession().token).toBeNull();
});

it('ends the login once, and leaves only by OK', async () => {
  signIn('old');
  refuse(401, 'login_expired', 'Your login status has expired, please sign in again!');
  await callTenTimes();
  const dialogs = screen.getAllByRole('alertdialog');
  expect(dialogs).toHaveLength(1);
  expect(dialogs[0]?.textContent).toContain('Your login status has expired, please sign in again!');
  fireEvent(dialogs[0] as HTMLElement, new Event('cancel', { cancelable: true }));
  expect(screen.getAllByRole('alertdialog')).toHaveLength(1);
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['OK']);
});
