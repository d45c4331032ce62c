import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { saveDraft } from '@/api/queries';
import { keep, kept } from './draft-keeper';
import { emptyDraft } from './drafts';

vi.mock('@/api/queries', async (original) => ({ ...(await original<object>()), saveDraft: vi.fn() }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.mocked(saveDraft).mockReset();
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
