// @vitest-environment jsdom
// Search and page of one's own dashboards live in the address: a reload, a link and the back button keep them.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter, useLocation, useNavigate } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { signIn } from '@/lib/session';

let Mine: ComponentType;
const asked: string[] = [];

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });
  vi.stubGlobal('IntersectionObserver', class { observe() { return undefined; } disconnect() { return undefined; } });
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(new URL(address, 'http://quarry.test').search);
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', data: { items: [], total: 45 } }), { headers: { 'Content-Type': 'application/json' } }));
  });
  await startLanguage();
  signIn('token');
  await loadTexts('dashboards');
  ({ Mine } = await import('./mine'));
});
afterEach(cleanup);

function Where() {
  const navigate = useNavigate();
  return (
    <>
      <output>{useLocation().search}</output>
      <button onClick={() => void navigate(-1)}>Back</button>
    </>
  );
}

const where = () => document.querySelector('output')?.textContent;
const field = () => screen.getByRole<HTMLInputElement>('searchbox');

it('are read from it and written to it, and the field follows the back button', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={['/user/my-dashboard?search=gas', '/user/my-dashboard?search=fees&page=2']}>
        <Mine />
        <Where />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(field().value).toBe('fees');
  await waitFor(() => expect(asked.at(-1)).toContain('search=fees'));
  expect(asked.at(-1)).toContain('page=2');

  fireEvent.click(await screen.findByTitle('3'));
  await waitFor(() => expect(where()).toBe('?search=fees&page=3'));
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(where()).toBe('?search=fees&page=2'));
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(where()).toBe('?search=gas'));
  expect(field().value).toBe('gas');

  fireEvent.change(field(), { target: { value: 'blocks' } });
  await waitFor(() => expect(where()).toBe('?search=blocks'));
});
