import { expect, it } from 'vitest';
import { InTurn } from './in-turn';

it('runs one after another, also after a failure', async () => {
  const turns = new InTurn();
  const said: string[] = [];
  const free: (() => void)[] = [];
  const slow = (name: string) => () => new Promise<void>((resolve) => { said.push(name); free.push(resolve); });
  const first = turns.next(slow('first'));
  const second = turns.next(() => Promise.reject(new Error('no')));
  const third = turns.next(slow('third'));
  await Promise.resolve();
  expect(said).toEqual(['first']);
  free[0]?.();
  await first;
  await expect(second).rejects.toThrow('no');
  await Promise.resolve();
  expect(said).toEqual(['first', 'third']);
  free[1]?.();
  await third;
});

it('is idle once nothing waits, also what came meanwhile', async () => {
  const turns = new InTurn();
  const free: (() => void)[] = [];
  const slow = () => new Promise<void>((resolve) => free.push(resolve));
  const done: string[] = [];
  void turns.next(slow).then(() => done.push('first'));
  const idle = turns.idle().then(() => done.push('idle'));
  void turns.next(slow).then(() => done.push('second'));
  for (const at of [0, 1]) {
    await new Promise((resolve) => setTimeout(resolve));
    free[at]?.();
  }
  await idle;
  expect(done).toEqual(['first', 'second', 'idle']);
});
