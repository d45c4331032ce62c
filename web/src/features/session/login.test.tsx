// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { clearSession, getSession } from '@/lib/session';
import { Component } from './login';

type Body = Record<string, string>;
const json = (status: number, body: object) => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const refusal = (status: number, code: string) => json(status, { status: 'fail', code, msg: 'x', data: null });
const sent = vi.fn<(path: string, body: Body) => void>();

/** A server that answers log-ins as `answer` says, and can send codes by mail. */
function serve(answer: (body: Body) => Response): void {
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Body) : {};
    sent(path, body);
    if (path === '/api/user/login') return Promise.resolve(answer(body));
    if (path === '/api/user/login-options') return Promise.resolve(json(200, { status: 'success', msg: '', data: { passwords: true, provider: null } }));
    return Promise.resolve(json(200, { status: 'success', msg: '', data: path.endsWith('channels') ? { email: true, phone: false } : true }));
  });
}

const token = () => json(200, { status: 'success', msg: '', data: { token: 'new' } });
const logIn = () => fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

beforeEach(async () => {
  await startLanguage();
  clearSession();
  sent.mockClear();
  serve(token);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Component />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fill('User name', 'ada');
  fill('Password', 's3cret-enough');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('asks for the code of an account with a second factor, in a second step', async () => {
  serve(({ secondCode }) => (secondCode === undefined ? refusal(401, 'second_factor_required') : secondCode === '123456' ? token() : refusal(401, 'wrong_second_factor')));
  logIn();
  const field = await screen.findByLabelText('Code of the app');
  expect(document.activeElement).toBe(field);
  expect(screen.queryByRole('alert')).toBeNull();
  logIn();
  expect(await screen.findByText('The code is required!')).toBeTruthy();
  fill('Code of the app', '000000');
  logIn();
  expect((await screen.findByRole('alert')).textContent).toContain('The code is wrong or was used.');
  fill('Code of the app', ' 123456 ');
  logIn();
  await waitFor(() => expect(getSession().token).toBe('new'));
});

it('offers a code to the owner of an account that others guess at', async () => {
  serve(({ sentCode }) => (sentCode === undefined ? refusal(429, 'account_slowed') : token()));
  logIn();
  fireEvent.click(await screen.findByRole('button', { name: 'Send a code' }));
  await waitFor(() => expect(sent).toHaveBeenCalledWith('/api/user/code/login', { userName: 'ada' }));
  fill('Code sent to you', '654321');
  logIn();
  await waitFor(() => expect(getSession().token).toBe('new'));
  expect(sent).toHaveBeenLastCalledWith('/api/user/login', { userName: 'ada', password: 's3cret-enough', sentCode: '654321' });
});
