import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveSocket, pauseBefore, type LiveMessage } from './socket';

/** A socket whose other end is the test. */
class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: LiveMessage[] = [];
  closed = false;
  send = (text: string) => this.sent.push(JSON.parse(text) as LiveMessage);
  close = () => {
    this.closed = true;
    this.onclose?.();
  };
}

describe('LiveSocket', () => {
  let sockets: FakeSocket[];
  let tickets: number;
  let signedIn: boolean;
  let live: LiveSocket;
  const newest = () => sockets.at(-1) as FakeSocket;
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const subscribe: LiveMessage = { type: 'job.subscribe', data: { jobId: 'a' } };

  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    tickets = 0;
    signedIn = true;
    live = new LiveSocket({
      ticket: () => Promise.resolve(`ticket ${(tickets += 1)}`),
      open: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      signedIn: () => signedIn,
      random: () => 1,
    });
  });
  afterEach(() => vi.useRealTimers());

  it('opens one socket for all listeners, with a ticket, and closes it with the last', async () => {
    const stop = [live.listen(() => undefined), live.listen(() => undefined)];
    await settle();
    newest().onopen?.();
    expect([sockets.length, tickets, live.state.get()]).toEqual([1, 1, 'open']);
    stop[0]?.();
    expect(newest().closed).toBe(false);
    stop[1]?.();
    expect([newest().closed, live.state.get()]).toEqual([true, 'idle']);
  });

  it('comes back with a new ticket and subscribes again', async () => {
    live.listen(() => undefined);
    live.keep('job a', subscribe);
    await settle();
    newest().onopen?.();
    expect(newest().sent).toEqual([subscribe]);

    newest().onclose?.();
    expect(live.state.get()).toBe('waiting');
    await vi.advanceTimersByTimeAsync(pauseBefore(0, 1));
    newest().onopen?.();
    expect([sockets.length, tickets]).toEqual([2, 2]);
    expect(newest().sent).toEqual([subscribe]);
  });

  it('forgets what was taken back', async () => {
    live.listen(() => undefined);
    const forget = live.keep('job a', subscribe);
    await settle();
    forget();
    newest().onopen?.();
    expect(newest().sent).toEqual([]);
  });

  it('passes messages on and survives ones it cannot read', async () => {
    const heard: LiveMessage[] = [];
    const warning = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    live.listen((message) => heard.push(message));
    await settle();
    newest().onopen?.();
    for (const data of ['{"type":"job.progress","data":{"jobId":"a"}}', 'no json', '{"data":1}', 'null']) newest().onmessage?.({ data });
    expect(heard).toEqual([{ type: 'job.progress', data: { jobId: 'a' } }]);
    expect(warning).toHaveBeenCalledTimes(2);
  });

  it('does not hear a socket it has given up', async () => {
    const heard: LiveMessage[] = [];
    live.listen((message) => heard.push(message));
    await settle();
    const old = newest();
    live.reset();
    await settle();
    old.onmessage?.({ data: '{"type":"late","data":null}' });
    expect(heard).toEqual([]);
    expect(sockets.length).toBe(2);
  });

  it('opens no socket for a ticket it asked for and gave up', async () => {
    live.listen(() => undefined)();
    live.listen(() => undefined);
    await settle();
    expect([sockets.length, tickets, live.state.get()]).toEqual([1, 2, 'connecting']);
  });

  it('waits longer after each failure, and not for visitors', async () => {
    live.listen(() => undefined);
    await settle();
    newest().onclose?.();
    await vi.advanceTimersByTimeAsync(pauseBefore(0, 1));
    newest().onclose?.();
    await vi.advanceTimersByTimeAsync(pauseBefore(0, 1));
    expect(sockets.length).toBe(2);
    await vi.advanceTimersByTimeAsync(pauseBefore(1, 1) - pauseBefore(0, 1));
    expect(sockets.length).toBe(3);

    signedIn = false;
    newest().onclose?.();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([sockets.length, live.state.get()]).toEqual([3, 'idle']);
  });
});

it('pauses grow to half a minute and differ between tabs', () => {
  expect([0, 1, 2, 20].map((attempt) => pauseBefore(attempt, 1))).toEqual([500, 1000, 2000, 30_000]);
  expect(pauseBefore(2, 0)).toBe(1000);
});
