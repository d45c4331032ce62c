// @vitest-environment jsdom
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { logout } from '@/api/account';
import { getSession, signIn } from '@/lib/session';
import { eraseLater } from '@/ui/deletions';
import { useSignOut } from './use-sign-out';

vi.mock('@/api/account', () => ({ logout: vi.fn(() => Promise.resolve()) }));

it('what was deleted a moment before is deleted in the name of who leaves', async () => {
  signIn('token');
  const names: (string | null)[] = [];
  const erase = vi.fn(() => {
    names.push(getSession().token);
    expect(logout).not.toHaveBeenCalled();
    return Promise.resolve();
  });
  eraseLater({ id: 'a', erase }, 'A is deleted');
  const { result } = renderHook(() => useSignOut(), { wrapper: ({ children }: { children: ReactNode }) => <MemoryRouter>{children}</MemoryRouter> });
  result.current();
  await waitFor(() => expect(getSession().token).toBeNull());
  expect([names, vi.mocked(logout).mock.calls.length]).toEqual([['token'], 1]);
});
