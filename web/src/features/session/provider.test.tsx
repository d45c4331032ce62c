// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { startProviderAnswer } from '@/lib/provider-answer';
import { clearSession, getSession } from '@/lib/session';
import { Component as Login } from './login';
import { Component as Provider } from './provider';

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const data = (value: unknown) => json(200, { status: 'success', msg: '', data: value });
const refusal = (status: number, code: string) => json(status, { status: 'fail', code, msg: 'x', data: null });
const sent = vi.fn<(path: string, body: unknown) => void>();
let options: object;
let answers: Record<string, () => Response>;

function show(address: string): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/auth/login" element={<Login />} />
          <Route path="/auth/provider" element={<Provider />} />
          <Route path="*" element={<h1>Elsewhere</h1>} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** The browser comes from the provider. */
function comeBack(search: string): void {
  history.replaceState(null, '', `/auth/provider?${search}`);
  startProviderAnswer();
  show('/auth/provider');
}

beforeEach(async () => {
  await startLanguage();
  clearSession();
  sessionStorage.clear();
  sent.mockClear();
  options = { passwords: true, provider: { label: 'Example Ltd.', available: true } };
  answers = {};
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    if (path === '/api/user/login-options') return Promise.resolve(data(options));
    sent(path, typeof init.body === 'string' ? JSON.parse(init.body) : null);
    return Promise.resolve(answers[path]?.() ?? data(true));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('the log-in page leads to the provider, and from there to where the person wanted to go', async () => {
  show('/auth/login?redirect=%2Fuser%2Finfo');
  const way = await screen.findByRole('link', { name: 'Log in with Example Ltd.' });
  screen.getByLabelText('Password');
  const replace = vi.fn<(address: string) => void>();
  vi.stubGlobal('location', { origin: location.origin, pathname: '/auth/provider', replace });
  answers['/api/user/provider/begin'] = () => data({ url: 'https://login.example.org/authorize?state=1' });
  fireEvent.click(way);
  await waitFor(() => expect(replace).toHaveBeenCalledWith('https://login.example.org/authorize?state=1'));
  vi.unstubAllGlobals();
  expect(sessionStorage.getItem('quarry-after-login')).toBe('/user/info');
});

it('a provider that is away is named as such and can be tried', async () => {
  options = { passwords: false, provider: { label: null, available: false } };
  show('/auth/login');
  const way = await screen.findByRole('link', { name: 'Company login' });
  screen.getByText('This login service does not answer right now. You can try it again.');
  expect(screen.queryByLabelText('Password')).toBeNull();
  answers['/api/user/provider/begin'] = () => refusal(503, 'provider_away');
  fireEvent.click(way);
  expect((await screen.findByRole('alert')).textContent).toContain('does not answer right now');
  screen.getByRole('link', { name: 'Back to the login page' });
});

it('whoever comes back is logged in once and goes on', async () => {
  sessionStorage.setItem('quarry-after-login', '/user/info');
  answers['/api/user/provider/login'] = () => data({ token: 'new' });
  comeBack('code=abc&state=xyz');
  await screen.findByText('Elsewhere');
  expect(getSession().token).toBe('new');
  expect(sent.mock.calls).toEqual([['/api/user/provider/login', { code: 'abc', state: 'xyz' }]]);
});

it.each([
  ['error=access_denied&state=xyz', 'The login service did not let you in, or you canceled there.'],
  ['code=abc&state=xyz', 'Begin it again on the log-in page.'],
])('says why nobody was logged in by %s', async (search, reason) => {
  answers['/api/user/provider/login'] = () => refusal(400, 'provider_login_over');
  comeBack(search);
  expect((await screen.findByRole('alert')).textContent).toContain(reason);
  expect(getSession().token).toBeNull();
  screen.getByRole('button', { name: 'Try again' });
});
