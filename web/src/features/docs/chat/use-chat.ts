// A talk with the assistant: what was asked and what came back, in this tab until it is left.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '@/api/error';
import { ask, type AnswerEvent, type Runnable, type Source, type Turn } from './ask';

export interface Exchange {
  readonly question: string;
  readonly text: string;
  readonly sources: readonly Source[];
  readonly query: Runnable | null;
  /** The model did not answer; the text quotes the documentation. */
  readonly fallback: boolean;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly error: string | null;
}

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

export function useChat() {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const changeLast = useCallback((change: (exchange: Exchange) => Exchange) => setExchanges((all) => all.map((one, index) => (index === all.length - 1 ? change(one) : one))), []);

  const send = useCallback(
    (question: string) => {
      const control = new AbortController();
      running.current = control;
      const before = turnsOf(exchanges);
      setExchanges([...exchanges, { question, text: '', sources: [], query: null, fallback: false, state: 'running', error: null }]);
      ask(question, before, control.signal, (event) => changeLast((exchange) => grown(exchange, event))).catch((error: unknown) => {
        if (control.signal.aborted) changeLast((exchange) => ({ ...exchange, state: 'stopped' }));
        else changeLast((exchange) => ({ ...exchange, state: 'failed', error: messageOf(error instanceof ApiError ? error : new ApiError('', 'network', 0)) }));
      });
    },
    [exchanges, changeLast],
  );

  return { exchanges, busy: exchanges.at(-1)?.state === 'running', send, stop: () => running.current?.abort(), clear: () => setExchanges([]) };
}
