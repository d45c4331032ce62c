// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { call, type Schemas } from '@/api/call';
import { ApiError } from '@/api/error';
import { loadTexts, startLanguage } from '@/i18n';
import { encodeId } from '@/lib/ids';
import { Component } from './detail';

vi.mock('@/api/call', () => ({ call: vi.fn() }));

const card = (id: string) => ({ id, kind: 'graph', title: id, tags: [], visibility: 'public', userName: 'ada', updateTime: 1, favorited: false, favorites: 0 });
const project = (items: string[]) => ({ id: 'p', title: 'Project', notes: '', tags: [], visibility: 'private', userName: 'ada', updateTime: 1, editable: true, favorited: false, favorites: 0, members: ['ada'], items: items.map(card) }) as unknown as Schemas['ProjectView'];

beforeAll(async () => {
  await startLanguage();
  await loadTexts('community');
});
afterEach(cleanup);

it('an order that the server does not take is taken back', async () => {
  let refuse: () => void = () => undefined;
  vi.mocked(call).mockImplementation((method: string) =>
    method === 'get'
      ? Promise.resolve(project(['One', 'Two', 'Three']))
      : new Promise((_, reject) => {
          refuse = () => reject(new ApiError('No.', 'forbidden', 403));
        }));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })}>
      <MemoryRouter initialEntries={[`/?id=${encodeId('p')}`]}>
        <Component />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const order = () => screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
  fireEvent.click(await screen.findByRole('button', { name: 'More about One' }));
  fireEvent.click(screen.getByRole('menuitem', { name: 'Move down' }));
  await waitFor(() => expect(order()).toEqual(['Two', 'One', 'Three']));
  await waitFor(() => expect(call).toHaveBeenLastCalledWith('post', '/api/project/item/arrange', { body: { id: 'p', items: ['Two', 'One', 'Three'] } }));
  refuse();
  await waitFor(() => expect(order()).toEqual(['One', 'Two', 'Three']));
});
