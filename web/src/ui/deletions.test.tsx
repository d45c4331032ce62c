// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startLanguage } from '@/i18n';
import { deleteLater, eraseLater, useDoomed } from './deletions';
import { Notices } from './notices';

const call = vi.hoisted(() => vi.fn());
vi.mock('@/api/call', () => ({ call }));

function Page() {
  const doomed = useDoomed();
  return (
    <>
      <p>{`Gone: ${[...doomed].join(' ')}`}</p>
      <Notices />
    </>
  );
}

beforeAll(startLanguage);
beforeEach(() => {
  call.mockReset();
  call.mockResolvedValue(null);
  render(<Page />);
});
afterEach(cleanup);

const gone = (ids: string) => screen.getByText((text) => text.trim() === `Gone: ${ids}`.trim());
const closed = () => fireEvent.click(screen.getByRole('button', { name: 'Close' }));

it('what is deleted when the page is left is told to the server by a call that outlives the page', async () => {
  act(() => deleteLater(new QueryClient(), { kind: 'dashboard', id: 'a' }, 'A is deleted'));
  gone('a');
  expect(call).not.toHaveBeenCalled();
  dispatchEvent(new Event('pagehide'));
  expect(call).toHaveBeenCalledExactlyOnceWith('post', '/api/dashboard/delete', { body: { id: 'a' }, keepalive: true });
  closed();
  await waitFor(() => gone(''));
});

it('what is taken back is not deleted, neither then nor when the page is left', () => {
  const erase = vi.fn(() => Promise.resolve());
  const back = vi.fn();
  act(() => eraseLater({ id: 'b', erase }, 'B is deleted', { back }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  gone('');
  dispatchEvent(new Event('pagehide'));
  expect([back.mock.calls.length, erase.mock.calls.length]).toEqual([1, 0]);
});

it('what the server does not delete is in sight again', async () => {
  act(() => eraseLater({ id: 'c', erase: () => Promise.reject(new Error('no')) }, 'C is deleted'));
  gone('c');
  closed();
  await waitFor(() => gone(''));
});
