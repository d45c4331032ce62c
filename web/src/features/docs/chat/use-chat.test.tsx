// @vitest-environment jsdom
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { clearSession, signIn } from '@/lib/session';
import type { AnswerEvent } from './ask';
import { useChat } from './use-chat';

type Ask = (text: string, before: unknown, signal: AbortSignal, onEvent: (event: AnswerEvent) => void) => Promise<void>;
const ask = vi.hoisted(() => vi.fn<Ask>());
vi.mock('./ask', () => ({ ask }));

beforeEach(() => {
  ask.mockReset();
  signIn(`token of ${Math.random()}`);
});
afterEach(() => act(clearSession));

const talk = () => renderHook(() => useChat());

it('a talk is there again after a look at one of its sources, with what was not asked yet', async () => {
  ask.mockImplementation((_text, _before, _signal, onEvent) => {
    onEvent({ type: 'text', text: 'So.' });
    onEvent({ type: 'done' });
    return Promise.resolve();
  });
  const first = talk();
  act(() => first.result.current.send('How?'));
  act(() => first.result.current.write('And wh'));
  await waitFor(() => expect(first.result.current.busy).toBe(false));
  first.unmount();
  const { result } = talk();
  expect([result.current.draft, result.current.exchanges.map(({ question, text, state }) => [question, text, state])]).toEqual(['And wh', [['How?', 'So.', 'done']]]);
});

it('the next person sees nothing of it', async () => {
  ask.mockResolvedValue();
  const { result } = talk();
  act(() => result.current.send('How?'));
  act(() => signIn('of somebody else'));
  expect([result.current.exchanges, result.current.draft]).toEqual([[], '']);
  await act(() => Promise.resolve());
});

it('an answer that is left is stopped, and one that broke off keeps why', async () => {
  ask.mockImplementation((_text, _before, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')))));
  const first = talk();
  act(() => first.result.current.send('How?'));
  expect(first.result.current.busy).toBe(true);
  first.unmount();
  const { result } = talk();
  await waitFor(() => expect(result.current.exchanges[0]?.state).toBe('stopped'));
  ask.mockRejectedValue(new ApiError('Too many.', 'too_many_attempts', 429));
  act(() => result.current.send('How?'));
  await waitFor(() => expect(result.current.exchanges[1]).toMatchObject({ state: 'failed', error: { code: 'too_many_attempts' } }));
});
