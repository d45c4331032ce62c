// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { InviteDialog } from './invite-dialog';

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const sent = vi.fn<(body: unknown) => void>();

/** A server that makes every invitation, or refuses the email address. */
function serve(refuses = false): void {
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    if (typeof init.body === 'string') sent(JSON.parse(init.body));
    if (refuses) return Promise.resolve(json(400, { status: 'fail', code: 'invalid_input', msg: 'This is not an email address.', param: 'email', data: null }));
    return Promise.resolve(json(200, { status: 'success', msg: '', data: { id: '0123456789ab', code: 'abcd-efgh-ijkm-npqr', expiresAt: 0 } }));
  });
}

const close = vi.fn<() => void>();
const make = () => fireEvent.click(screen.getByRole('button', { name: 'Make invitation' }));
const email = (value: string) => fireEvent.change(screen.getByLabelText('Email'), { target: { value } });

beforeEach(async () => {
  // jsdom lacks these methods and both APIs below.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = () => undefined;
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });
  await startLanguage();
  await loadTexts('system');
  sent.mockClear();
  close.mockClear();
  serve();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <InviteDialog onClose={close} />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('shows the link and the code of what was made, for one address', async () => {
  email(' ada@mail.example ');
  make();
  const link = await screen.findByText(`${location.origin}/auth/register#invitation=abcd-efgh-ijkm-npqr&email=ada%40mail.example`);
  expect(sent.mock.calls).toEqual([[{ email: 'ada@mail.example', days: 7 }]]);
  await waitFor(() => expect(document.activeElement).toBe(link));
  screen.getByText('abcd-efgh-ijkm-npqr');
  screen.getByRole('button', { name: 'Copy link' });
  screen.getByRole('button', { name: 'Copy code' });
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(close).toHaveBeenCalledTimes(1);
});

it('makes one for anybody where no address is named', async () => {
  make();
  await screen.findByText(`${location.origin}/auth/register#invitation=abcd-efgh-ijkm-npqr`);
  expect(sent.mock.calls).toEqual([[{ email: null, days: 7 }]]);
});

it('sends no address that is none', () => {
  email('ada');
  make();
  screen.getByText('Please enter a valid email address!');
  expect(sent).not.toHaveBeenCalled();
});

it('shows at the field why the server refuses an address', async () => {
  serve(true);
  email('ada@-mail.example');
  make();
  await screen.findByText('This is not an email address.');
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
});
