// Asking for a private chat, or the list of them, from anywhere; the floating widget answers.
import { createStore } from '@/lib/store';

export type ChatRequest = { kind: 'chat'; userName: string } | { kind: 'list' } | { kind: 'feedback' };

interface Requested {
  /** Grows, so that asking for the same again is a new request. */
  id: number;
  request: ChatRequest;
}

/** The newest request; the widget takes it when it is there. */
export const requested = createStore<Requested | null>(null);

const ask = (request: ChatRequest) => requested.set((now) => ({ id: (now?.id ?? 0) + 1, request }));

export const openChat = (userName: string): void => ask({ kind: 'chat', userName });
export const openChatList = (): void => ask({ kind: 'list' });
export const openFeedback = (): void => ask({ kind: 'feedback' });

/** Whether somebody wrote what has not been read. */
export const unread = createStore(false);
