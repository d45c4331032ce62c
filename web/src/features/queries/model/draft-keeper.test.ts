import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { saveDraft } from '@/api/queries';
import { clearSession, setAccount, signIn } from '@/lib/session';
import { keep, kept } from './draft-keeper';
import { emptyDraft } from './drafts';

vi.mock('@/api/queries', async (original) => ({ ...(await original<object>()), saveDraft: vi.fn() }));

function enter(id: string) {
  signIn(`token of ${id}`);
  setAccount({ id, name: id, avatar: null, role: 'ROLE_DEFAULT', permissions: [] });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.mocked(saveDraft).mockReset();
  enter('me');
});
afterEach(() => vi.useRealTimers());

const refuse = (status: number) => vi.mocked(saveDraft).mockRejectedValue(new ApiError('', 'some', status));

it('what the server could not be told is told again, what it refuses only when it has changed', async () => {
  const draft = emptyDraft('SQL', 'select 1', 'me', 0);
  refuse(0);
  keep(draft);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(vi.mocked(saveDraft).mock.calls.length).toBeGreaterThan(1);

  refuse(413);
  await vi.advanceTimersByTimeAsync(15_000);
  const tried = vi.mocked(saveDraft).mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([vi.mocked(saveDraft).mock.calls.length, kept.get()]).toEqual([tried, 'here']);

  keep({ ...draft, text: 'select 2' });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(vi.mocked(saveDraft).mock.calls.length).toBe(tried + 1);
});

it('what somebody wrote is never told in the name of who is signed in after them', async () => {
  refuse(0);
  keep(emptyDraft('SQL', 'select 3', 'me', 0));
  await vi.advanceTimersByTimeAsync(2_000);
  const told = () => vi.mocked(saveDraft).mock.calls.filter(([{ what }]) => what.text === 'select 3').length;
  expect(told()).toBe(1);
  clearSession();
  enter('eve');
  vi.mocked(saveDraft).mockResolvedValue({} as Awaited<ReturnType<typeof saveDraft>>);
  keep(emptyDraft('SQL', 'select 4', 'eve', 0));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([told(), vi.mocked(saveDraft).mock.lastCall?.[0].what.text]).toEqual([1, 'select 4']);
  clearSession();
  enter('me');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told()).toBe(2);
});
