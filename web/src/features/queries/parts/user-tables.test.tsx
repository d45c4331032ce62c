// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { dropUserTable, listUserTables, shareUserTable, tableDependents, type UserTable } from '@/api/user-tables';
import { loadTexts, startLanguage } from '@/i18n';
import { signIn } from '@/lib/session';
import { UserTables } from './user-tables';

vi.mock('@/api/user-tables', () => ({ listUserTables: vi.fn(), shareUserTable: vi.fn(), dropUserTable: vi.fn(), uploadUserTable: vi.fn(), tableDependents: vi.fn() }));

const table = (sharedWith: string[]) => ({ schema: 'user_ada', table: 'gifts', rows: 1, bytes: 1, columns: [], sharedWith }) as unknown as UserTable;

beforeAll(async () => {
  // jsdom opens no dialogs and lays nothing out.
  Object.assign(HTMLDialogElement.prototype, { showModal: vi.fn(), close: vi.fn() });
  vi.stubGlobal('ResizeObserver', class { observe() {} unobserve() {} disconnect() {} });
  signIn('token');
  await startLanguage();
  await loadTexts('editors');
});

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const unshare = { name: 'No longer share with eve', hidden: true };
const stop = { name: 'Stop sharing', hidden: true };

function show() {
  vi.mocked(listUserTables).mockResolvedValue({ schema: 'user_ada', used: 1, quota: 10, tables: [table(['eve'])], shared: [] });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <UserTables quote={(name) => name} onInsert={vi.fn()} />
    </QueryClientProvider>,
  );
}

async function choose(action: string) {
  fireEvent.click(await screen.findByRole('button', { name: 'Actions on gifts' }));
  fireEvent.click(await screen.findByText(action));
}

it('who takes a table back is told before how many published results of others go with it', async () => {
  show();
  await choose('Share');
  let counted: (dependents: { results: number; publishers: number }) => void = () => undefined;
  vi.mocked(tableDependents).mockReturnValueOnce(new Promise((resolve) => (counted = resolve)));
  fireEvent.click(await screen.findByRole('button', unshare));
  expect(screen.getByRole<HTMLButtonElement>('button', stop).disabled).toBe(true);
  counted({ results: 2, publishers: 1 });
  await screen.findByText(/2 published results of other people were computed from it/);
  expect(tableDependents).toHaveBeenLastCalledWith('gifts', 'eve', expect.anything());
  fireEvent.click(screen.getByRole('button', { name: 'Cancel', hidden: true }));
  expect(await screen.findByRole('button', unshare)).toBeTruthy();
  expect(shareUserTable).not.toHaveBeenCalled();
});

it('a table is dropped also when the published results can not be counted, which is said', async () => {
  show();
  vi.mocked(tableDependents).mockRejectedValueOnce(new ApiError('', 'network', 0));
  await choose('Drop');
  const drop = await screen.findByRole<HTMLButtonElement>('button', { name: 'Drop', hidden: true });
  await screen.findByText(/could not be reached/);
  vi.mocked(dropUserTable).mockResolvedValueOnce(true);
  fireEvent.click(drop);
  await waitFor(() => expect(dropUserTable).toHaveBeenCalledWith('gifts'));
});

it('taking one reader out leaves the name that is being typed, and a name that is sent goes', async () => {
  show();
  await choose('Share');
  const field = await screen.findByLabelText<HTMLInputElement>('User name');
  fireEvent.change(field, { target: { value: ' bob' } });
  vi.mocked(shareUserTable).mockResolvedValueOnce(table([]));
  vi.mocked(tableDependents).mockResolvedValueOnce({ results: 0, publishers: 0 });
  fireEvent.click(screen.getByRole('button', unshare));
  await screen.findByText(/No published result of other people/);
  fireEvent.click(screen.getByRole('button', stop));
  const again = await screen.findByLabelText<HTMLInputElement>('User name');
  await waitFor(() => expect(screen.queryByRole('button', unshare)).toBeNull());
  expect(again.value).toBe(' bob');
  vi.mocked(shareUserTable).mockResolvedValueOnce(table(['bob']));
  fireEvent.keyDown(again, { key: 'Enter', code: 'Enter', keyCode: 13 });
  await waitFor(() => expect(again.value).toBe(''));
  expect(shareUserTable).toHaveBeenLastCalledWith('gifts', 'bob', true);
});
