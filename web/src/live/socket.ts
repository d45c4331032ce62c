// One websocket per tab: opened with a single-use ticket when somebody first listens, reconnecting with growing pauses.
import { call } from '@/api/call';
import { getSession, onSession } from '@/lib/session';
import { createStore, useStore } from '@/lib/store';

export type LiveState = 'idle' | 'connecting' | 'open' | 'waiting';

export interface LiveMessage {
  type: string;
  data: unknown;
}

/** What the socket needs from the world, so that tests can bring their own. */
export interface LiveParts {
  ticket(): Promise<string>;
  open(ticket: string): WebSocket;
  signedIn(): boolean;
  random(): number;
}

const firstPauseMs = 500;
const longestPauseMs = 30_000;

/** The pause before attempt `attempt` (from 0): doubling, with a random half so that tabs do not come back all at once. */
export function pauseBefore(attempt: number, random: number): number {
  const full = Math.min(firstPauseMs * 2 ** attempt, longestPauseMs);
  return full / 2 + (full / 2) * random;
}

export class LiveSocket {
  readonly state = createStore<LiveState>('idle');
  private socket: WebSocket | null = null;
  private attempt = 0;
  /** Counts connections, so that a ticket that was asked for one that was given up opens none. */
  private turn = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<(message: LiveMessage) => void>();
  private readonly greetings = new Map<string, LiveMessage>();

  constructor(private readonly parts: LiveParts) {}

  /** Hears every message. The socket opens with the first listener and closes with the last. */
  listen(listener: (message: LiveMessage) => void): () => void {
    this.listeners.add(listener);
    this.connect();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.close();
    };
  }

  /** Sends a message now and again after every reconnect, until taken back. */
  keep(key: string, message: LiveMessage): () => void {
    this.greetings.set(key, message);
    this.send(message);
    return () => {
      this.greetings.delete(key);
    };
  }

  /** Sends a message if the socket is open. */
  send(message: LiveMessage): void {
    if (this.state.get() === 'open') this.socket?.send(JSON.stringify(message));
  }

  /** Drops the connection, and makes a new one when somebody listens and a person is signed in. */
  reset(): void {
    this.close();
    if (this.listeners.size > 0) this.connect();
  }

  private connect(): void {
    if (this.state.get() === 'open' || this.state.get() === 'connecting' || !this.parts.signedIn()) return;
    clearTimeout(this.timer);
    this.state.set('connecting');
    this.turn += 1;
    const { turn } = this;
    const wanted = () => this.turn === turn && this.state.get() === 'connecting';
    this.parts.ticket().then(
      (ticket) => wanted() && this.listeners.size > 0 && this.opened(this.parts.open(ticket)),
      () => wanted() && this.again(),
    );
  }

  private opened(socket: WebSocket): void {
    this.socket = socket;
    const current = () => this.socket === socket;
    socket.onopen = () => {
      if (!current()) return;
      this.attempt = 0;
      this.state.set('open');
      for (const message of this.greetings.values()) this.send(message);
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      const message = current() ? parse(event.data) : undefined;
      if (message) for (const listener of [...this.listeners]) listener(message);
    };
    socket.onclose = () => current() && this.again();
  }

  private again(): void {
    this.socket = null;
    if (!this.parts.signedIn()) {
      this.state.set('idle');
      return;
    }
    this.state.set('waiting');
    this.timer = setTimeout(() => this.connect(), pauseBefore(this.attempt, this.parts.random()));
    this.attempt += 1;
  }

  private close(): void {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    this.attempt = 0;
    this.state.set('idle');
    socket?.close();
  }
}

function parse(data: unknown): LiveMessage | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const message = JSON.parse(data) as Partial<LiveMessage>;
    return typeof message.type === 'string' ? { type: message.type, data: message.data } : undefined;
  } catch {
    console.warn('A live message could not be read', data);
    return undefined;
  }
}

export const live = new LiveSocket({
  ticket: async () => (await call('post', '/api/ws/ticket', { quiet: true })).ticket,
  open: (ticket) => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return new WebSocket(`${scheme}://${location.host}/api/ws?ticket=${encodeURIComponent(ticket)}`);
  },
  signedIn: () => getSession().token !== null,
  random: Math.random,
});

let token = getSession().token;
onSession(() => {
  if (getSession().token === token) return;
  token = getSession().token;
  live.reset();
});

export function useLiveState(): LiveState {
  return useStore(live.state);
}
