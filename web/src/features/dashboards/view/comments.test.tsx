// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadTexts, startLanguage } from '@/i18n';
import { setAccount, signIn } from '@/lib/session';
import { Comments } from './comments';

let answer: () => void;
const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));

beforeEach(async () => {
  await startLanguage();
  await loadTexts('dashboards');
  signIn('token');
  call.mockImplementation((method: string) =>
    method === 'get'
      ? Promise.resolve({ items: [], total: 0 })
      : new Promise((resolve) => {
          answer = () => resolve({});
        }),
  );
});

afterEach(cleanup);

it('a comment that is written while another is on its way stays', async () => {
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Comments target={{ id: 'd', share: undefined, anonymous: false }} total={0} onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const field = screen.getByPlaceholderText<HTMLTextAreaElement>('Write a comment');
  const write = (value: string) => fireEvent.change(field, { target: { value } });
  const send = () => fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  write('One');
  send();
  await waitFor(() => expect(call).toHaveBeenCalledWith('post', '/api/dashboard/comment/create', expect.anything()));
  write('Two');
  answer();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Comment' })).toHaveProperty('disabled', false));
  expect(field.value).toBe('Two');
  send();
  await waitFor(() => expect(call.mock.calls.filter(([method]) => method === 'post')).toHaveLength(2));
  answer();
  await waitFor(() => expect(field.value).toBe(''));
});

it('a comment that was deleted just before the page is left is deleted', async () => {
  const comment = { id: 'c1', userName: 'ada', headPhoto: null, createTime: 1, content: 'Hello', removed: false, removable: true, replies: [] };
  call.mockImplementation((method: string) => Promise.resolve(method === 'get' ? { items: [comment], total: 1 } : null));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Comments target={{ id: 'd', share: undefined, anonymous: false }} total={1} onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
  screen.getByText('This comment was deleted.');
  dispatchEvent(new Event('pagehide'));
  expect(call).toHaveBeenCalledWith('post', '/api/dashboard/comment/delete', { body: { id: 'c1' }, keepalive: true });
});

it('what is written is still there when the panel is opened again, and nobody else’s', () => {
  const panel = () => (
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Comments target={{ id: 'd', share: undefined, anonymous: false }} total={0} onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>
  );
  const as = (id: string) => setAccount({ id, name: id, avatar: null, role: 'ROLE_DEFAULT', permissions: [] });
  const field = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Write a comment');
  as('ada');
  const { unmount } = render(panel());
  fireEvent.change(field(), { target: { value: 'Half a tho' } });
  unmount();
  as('eve');
  const other = render(panel());
  expect(field().value).toBe('');
  other.unmount();
  as('ada');
  render(panel());
  expect(field().value).toBe('Half a tho');
});
