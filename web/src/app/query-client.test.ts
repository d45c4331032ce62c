// @vitest-environment jsdom
import { QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { queryClient } from './query-client';

it('a first answer that is older than a change is asked for again', async () => {
  const answers: ((answer: string) => void)[] = [];
  const ask = () =>
    new Promise<string>((resolve) => {
      answers.push(resolve);
    });
  const observer = new QueryObserver(queryClient, { queryKey: ['list'], queryFn: ask });
  const stop = observer.subscribe(() => undefined);
  void queryClient.invalidateQueries({ queryKey: ['list'] });
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.('before the change');
  answers[1]?.('after the change');
  await vi.waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ data: 'after the change', fetchStatus: 'idle' }));
  stop();
});
