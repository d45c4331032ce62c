// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { listUserTables, shareUserTable, type UserTable } from '@/api/user-tables';
import { loadTexts, startLanguage } from '@/i18n';
import { signIn } from '@/lib/session';
import { UserTables } from './user-tables';

vi.mock('@/api/user-tables', () => ({ listUserTables: vi.fn(), shareUserTable: vi.fn(), dropUserTable: vi.fn(), uploadUserTable: vi.fn() }));

const table = (sharedWith: string[]) => ({ schema: 'user_ada', table: 'gifts', rows: 1, bytes: 1, columns: [], sharedWith }) as unknown as UserTable;

beforeAll(async () => {
  // jsdom opens no dialogs and lays nothing out.
  Object.assign(HTMLDialogElement.prototype, { showModal: vi.fn(), close: vi.fn() });
  vi.stubGlobal('ResizeObserver', class { observe() {} unobserve() {} disconnect() {} });
  signIn('token');
  await startLanguage();
  await loadTexts('editors');
});

const unshare = { name: 'No longer share with eve', hidden: true };

it('taking one reader out leaves the name that is being typed, and a name that is sent goes', async () => {
  vi.mocked(listUserTables).mockResolvedValue({ schema: 'user_ada', used: 1, quota: 10, tables: [table(['eve'])], shared: [] });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserTables quote={(name) => name} onInsert={vi.fn()} />
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Actions on gifts' }));
  fireEvent.click(await screen.findByText('Share'));
  const field = await screen.findByLabelText<HTMLInputElement>('User name');
  fireEvent.change(field, { target: { value: ' bob' } });
  vi.mocked(shareUserTable).mockResolvedValueOnce(table([]));
  fireEvent.click(screen.getByRole('button', unshare));
  await waitFor(() => expect(screen.queryByRole('button', unshare)).toBeNull());
  expect(field.value).toBe(' bob');
  vi.mocked(shareUserTable).mockResolvedValueOnce(table(['bob']));
  fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
  await waitFor(() => expect(field.value).toBe(''));
  expect(shareUserTable).toHaveBeenLastCalledWith('gifts', 'bob', true);
});
