// @vitest-environment jsdom
// Search and page of the saved queries live in the address: a reload, a link and the back button keep them.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter, useLocation, useNavigate } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';

let Saved: ComponentType;
const asked: string[] = [];

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(new URL(address, 'http://quarry.test').search);
    const items = [{ id: 'q', kind: 'query', title: 'Gas per day', notes: '', tags: [], visibility: 'private', queryKind: 'SQL', lastRunTime: null, updateTime: 0 }];
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', data: { items, total: 90 } }), { headers: { 'Content-Type': 'application/json' } }));
  });
  await startLanguage();
  ({ SavedQueries: Saved } = await import('./parts/saved-queries'));
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

it('are read from it and written to it', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={['/user/my-query?view=queries&search=gas&page=2']}>
        <Saved />
        <Where />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByText('Gas per day');
  expect(field().value).toBe('gas');
  expect(asked.at(-1)).toBe('?kind=query&search=gas&page=2&size=20');

  fireEvent.click(screen.getByTitle('3'));
  await waitFor(() => expect(where()).toBe('?view=queries&search=gas&page=3'));
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(where()).toBe('?view=queries&search=gas&page=2'));

  // Other words have pages of their own.
  fireEvent.change(field(), { target: { value: 'blocks ' } });
  await waitFor(() => expect(where()).toBe('?view=queries&search=blocks'));
  await waitFor(() => expect(asked.at(-1)).toBe('?kind=query&search=blocks&page=1&size=20'));
});
