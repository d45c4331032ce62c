// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useRuns } from './use-runs';

it('of two runs that were asked for one after the other the last one counts, whichever answer comes first', async () => {
  const { result } = renderHook(() => useRuns());
  const answers: ((jobId: string) => void)[] = [];
  const send = () => new Promise<string>((resolve) => answers.push(resolve));
  const begin = () =>
    act(() => {
      result.current.forget('q');
      result.current.start('q', null, send);
    });
  const answer = (at: number, jobId: string) =>
    act(async () => {
      answers[at]?.(jobId);
      await Promise.resolve();
    });
  begin();
  begin();
  await answer(1, 'second');
  await answer(0, 'first');
  expect(result.current.runs.get('q')?.jobId).toBe('second');
  begin();
  act(() => result.current.note('q', null, 'of somebody else'));
  await answer(2, 'third');
  expect(result.current.runs.get('q')?.jobId).toBe('of somebody else');
});
