// Whether the server can be reached: a call that finds nobody says so, and then it is asked until it answers.
import { createStore, useStore } from './store';

const connected = createStore(true);
const firstMs = 2_000;
const longestMs = 15_000;

export const useConnected = (): boolean => useStore(connected);

/** Says that a call found no server. */
export const connectionLost = (): void => connected.set(false);

/** Says that the server is there again. */
export const connectionBack = (): void => connected.set(true);

/** Asks for the server more and more rarely, and at once when the browser says that its network is back; true when it answered, false when `signal` ended the asking. */
export async function serverAnswers(signal: AbortSignal): Promise<boolean> {
  let pauseMs = firstMs;
  let there = false;
  while (!there && !signal.aborted) {
    await pause(pauseMs, signal);
    there = await answers(signal);
    pauseMs = Math.min(2 * pauseMs, longestMs);
  }
  return there;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

async function answers(signal: AbortSignal): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}
