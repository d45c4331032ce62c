// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { App } from 'antd';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { clearSession, setAccount, signIn } from '@/lib/session';
import { UserSecondFactor } from './user-second-factor';

const asked = vi.fn<(call: string) => void>();
let on: boolean;

beforeEach(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit) => {
    asked(`${method} ${path}`);
    if (method === 'DELETE') on = false;
    const data = method === 'DELETE' ? true : { on, since: on ? 0 : null, recoveryCodes: on ? 8 : 0 };
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', msg: '', data }), { headers: { 'Content-Type': 'application/json' } }));
  });
  await startLanguage();
  await loadTexts('system');
  asked.mockClear();
  signIn('token');
  setAccount({ id: '1', name: 'root', avatar: null, role: 'admin', permissions: ['system.user'] });
});
afterEach(() => {
  cleanup();
  clearSession();
  vi.unstubAllGlobals();
});

const show = (id: number) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <UserSecondFactor id={id} name="ada" />
      </App>
    </QueryClientProvider>,
  );

it('is removed once that was confirmed, and then no longer there', async () => {
  on = true;
  show(7);
  await screen.findByText(/8 recovery codes left/);
  fireEvent.click(screen.getByRole('button', { name: 'Remove second factor' }));
  await screen.findAllByText('Remove the second factor of ada?');
  expect(asked).not.toHaveBeenCalledWith('DELETE /api/system/user/second-factor/7');
  fireEvent.click(screen.getAllByRole('button', { name: 'Remove second factor' }).at(-1) as HTMLElement);
  await screen.findByText('Off');
  expect(asked).toHaveBeenCalledWith('DELETE /api/system/user/second-factor/7');
});

it('of one’s own is not removed here', async () => {
  on = true;
  show(1);
  await screen.findByText('On');
  expect(screen.queryByRole('button')).toBeNull();
});

it('that is off offers nothing to remove', async () => {
  on = false;
  show(7);
  await screen.findByText('Off');
  expect(screen.queryByRole('button')).toBeNull();
});
