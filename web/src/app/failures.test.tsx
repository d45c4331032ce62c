// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { request } from '@/api/request';
import { startLanguage } from '@/i18n';
import { getSession, setAccount, signIn } from '@/lib/session';
import { Notices } from '@/ui/notices';
import { Interruptions, startFailures } from './failures';
import { queryClient } from './query-client';

const refuse = (status: number, code: string | undefined, msg: string) =>
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
    <QueryClientProvider client={queryClient}>
      <Notices />
      <Interruptions />
    </QueryClientProvider>,
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

it('shows the message of a failure without a code', async () => {
  refuse(500, undefined, 'The table is locked.');
  await callTenTimes();
  expect(screen.getByRole('alert').textContent).toContain('The table is locked.');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
});

it.each(['some_code', undefined])('says "Execute fail!" when the server says nothing (code %s)', async (code) => {
  refuse(500, code, '');
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

it('ends the login once, and leaves only by its buttons', async () => {
  signIn('old');
  refuse(401, 'login_expired', 'Your login status has expired, please sign in again!');
  await callTenTimes();
  const dialogs = await screen.findAllByRole('alertdialog');
  expect(dialogs).toHaveLength(1);
  expect(dialogs[0]?.textContent).toContain('Your login status has expired, please sign in again!');
  fireEvent(dialogs[0] as HTMLElement, new Event('cancel', { cancelable: true }));
  expect(screen.getAllByRole('alertdialog')).toHaveLength(1);
  await screen.findByRole('button', { name: 'Log in' });
  // What confirms the dialog leads home; logging in here is the other way.
  expect(screen.getAllByRole('button').at(-1)?.textContent).toBe('OK, go to Home');
});

it('an expired login is renewed in its dialog, and what the person has on the page stays theirs', async () => {
  signIn('old');
  setAccount({ id: '7', name: 'ada', avatar: null, role: 'ROLE_DEFAULT', permissions: [] });
  const { login } = getSession();
  refuse(401, 'login_expired', 'Your login status has expired, please sign in again!');
  await callTenTimes();
  const password = await screen.findByLabelText('Password');
  expect(screen.queryByLabelText('User name')).toBeNull();

  refuse(401, 'wrong_login', 'Wrong user name or password! Please enter again!');
  fireEvent.change(password, { target: { value: 'not-this-one' } });
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Wrong user name or password!');

  const sent = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(() =>
    Promise.resolve(new Response(JSON.stringify({ status: 'success', msg: '', data: { token: 'new' } }), { headers: { 'Content-Type': 'application/json' } })),
  );
  vi.stubGlobal('fetch', sent);
  fireEvent.change(password, { target: { value: 's3cret-enough' } });
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(sent.mock.calls[0]?.[1].body).toBe('{"userName":"ada","password":"s3cret-enough"}');
  expect(getSession()).toMatchObject({ token: 'new', login, account: { name: 'ada' } });
});
