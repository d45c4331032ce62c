// @vitest-environment jsdom
// A page of a list that has become shorter: it must not say that there was never anything.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { signIn } from '@/lib/session';

let Jobs: ComponentType;
let Saved: ComponentType;

const creation = (id: string) => ({ id, kind: 'query', title: `Query ${id}`, notes: '', tags: [], visibility: 'private', queryKind: 'SQL', lastRunTime: null, updateTime: 0 });

/** Twenty-one saved queries until one is gone, and one job. */
let total = 21;
const serve = (path: string, asked: URLSearchParams) => {
  const page = Number(asked.get('page'));
  if (path === '/api/job/list') return { items: [], total: 1 };
  if (path === '/api/creation/mine') return { items: page === 1 ? Array.from({ length: 20 }, (_each, at) => creation(String(at))) : total > 20 ? [creation('last')] : [], total };
  return null;
};

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal('ResizeObserver', class { observe() { return undefined; } unobserve() { return undefined; } disconnect() { return undefined; } });
  vi.stubGlobal('WebSocket', class { close() { return undefined; } });
  vi.stubGlobal('fetch', (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://quarry.test');
    return Promise.resolve(new Response(JSON.stringify({ status: 'success', data: serve(pathname, searchParams) }), { headers: { 'Content-Type': 'application/json' } }));
  });
  await startLanguage();
  signIn('token');
  [{ Component: Jobs }, { SavedQueries: Saved }] = await Promise.all([import('./page'), import('./parts/saved-queries')]);
});
afterEach(cleanup);

const show = (page: ReactNode, path: string) => {
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>{page}</MemoryRouter>
    </QueryClientProvider>,
  );
  return client;
};

it('of jobs', async () => {
  show(<Jobs />, '/user/my-query?page=7');
  await screen.findByRole('button', { name: 'Go to the first page' });
  expect(screen.queryByText('You have not run a query yet.')).toBeNull();
});

it('of saved queries', async () => {
  const client = show(<Saved />, '/user/my-query?view=queries');
  fireEvent.click(await screen.findByTitle('2'));
  await screen.findByText('Query last');
  total = 20;
  await client.invalidateQueries();
  fireEvent.click(await screen.findByRole('button', { name: 'Go to the first page' }));
  await screen.findByText('Query 0');
});
