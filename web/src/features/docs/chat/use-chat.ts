// A talk with the assistant: what was asked and what came back. It is there again after a look at a source, until the person
// starts anew or leaves.
import { useEffect, useRef } from 'react';
import { ApiError } from '@/api/error';
import { useSession } from '@/lib/session';
import { createStore, useStore } from '@/lib/store';
import { ask, type AnswerEvent, type Runnable, type Source, type Turn } from './ask';

export interface Exchange {
  readonly question: string;
  readonly text: string;
  readonly sources: readonly Source[];
  readonly query: Runnable | null;
  /** The model did not answer; the text quotes the documentation. */
  readonly fallback: boolean;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly error: ApiError | null;
}

interface Talk {
  /** Whose it is: what one person asked is not shown to the next one. */
  readonly login: string | null;
  readonly exchanges: readonly Exchange[];
  /** What is written and not asked yet. */
  readonly draft: string;
}

const talk = createStore<Talk>({ login: null, exchanges: [], draft: '' });

/** Turns that go along with a question. */
const mostTurns = 6;
const longestTurn = 4_000;

const turnsOf = (exchanges: readonly Exchange[]): Turn[] =>
  exchanges
    .flatMap(({ question, text }): Turn[] => (text === '' ? [] : [{ role: 'user', text: question }, { role: 'assistant', text: text.slice(0, longestTurn) }]))
    .slice(-mostTurns);

function grown(exchange: Exchange, event: AnswerEvent): Exchange {
  switch (event.type) {
    case 'found':
      return { ...exchange, sources: event.sources, query: event.query };
    case 'text':
      return { ...exchange, text: exchange.text + event.text };
    case 'failed':
      // What the model began is replaced by what the documentation says.
      return { ...exchange, text: '', fallback: true };
    case 'done':
      return { ...exchange, state: 'done' };
  }
}

/** What a person has of the talk. */
const of = (login: string | null, known: Talk): Talk => (known.login === login ? known : { login, exchanges: [], draft: '' });

export function useChat() {
  const { login } = useSession();
  const { exchanges, draft } = of(login, useStore(talk));
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const write = (text: string) => talk.set((now) => ({ ...of(login, now), draft: text }));
  const send = (question: string) => {
    const control = new AbortController();
    running.current = control;
    const at = exchanges.length;
    const change = (next: (exchange: Exchange) => Exchange) =>
      talk.set((now) => (now.login === login ? { ...now, exchanges: now.exchanges.map((one, index) => (index === at ? next(one) : one)) } : now));
    talk.set((now) => ({ ...of(login, now), exchanges: [...exchanges, { question, text: '', sources: [], query: null, fallback: false, state: 'running', error: null }] }));
    ask(question, turnsOf(exchanges), control.signal, (event) => change((exchange) => grown(exchange, event))).catch((error: unknown) => {
      if (control.signal.aborted) change((exchange) => ({ ...exchange, state: 'stopped' }));
      else change((exchange) => ({ ...exchange, state: 'failed', error: error instanceof ApiError ? error : new ApiError('', 'network', 0) }));
    });
  };

  return { exchanges, draft, busy: exchanges.at(-1)?.state === 'running', write, send, stop: () => running.current?.abort(), clear: () => talk.set({ login, exchanges: [], draft }) };
}
