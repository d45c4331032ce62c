// The assistant: answers about the product, its tables and how to query them, from the documentation.
import { useQuery } from '@tanstack/react-query';
import { CircleStop, Eraser, SendHorizontal } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '@/api/request';
import { usePage } from '@/lib/page';
import { Button, IconButton } from '@/ui/button';
import { Message } from './message';
import { useChat } from './use-chat';
import css from './chat.module.css';

const longestQuestion = 1_000;

export function Component() {
  const { t } = useTranslation();
  usePage(t('assistant.title'));
  const chat = useChat();
  const end = useRef<HTMLDivElement>(null);
  const status = useQuery({ queryKey: ['assistant'], queryFn: ({ signal }) => request<{ model: boolean }>('GET', '/api/assistant/status', { signal, quiet: true }), staleTime: Infinity });
  const count = chat.exchanges.length;
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [count]);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1 tabIndex={-1}>{t('assistant.title')}</h1>
        {count > 0 ? <IconButton label={t('assistant.clear')} icon={<Eraser size={17} strokeWidth={1.6} />} disabled={chat.busy} onClick={chat.clear} /> : null}
      </header>
      <div className={css.talk} role="log" aria-label={t('assistant.talk')} aria-busy={chat.busy}>
        <div className={css.about}>
          <p>{t('assistant.can')}</p>
          {status.data ? <p>{t(status.data.model ? 'assistant.withModel' : 'assistant.withoutModel')}</p> : null}
        </div>
        {count === 0 ? <Starters onAsk={chat.send} /> : null}
        {chat.exchanges.map((exchange, index) => (
          <Message key={index} exchange={exchange} onAgain={index === count - 1 ? () => chat.send(exchange.question) : undefined} />
        ))}
        <div ref={end} className={css.end} />
      </div>
      <Composer text={chat.draft} busy={chat.busy} onWrite={chat.write} onSend={chat.send} onStop={chat.stop} />
    </div>
  );
}

function Starters({ onAsk }: { onAsk: (question: string) => void }) {
  const { t } = useTranslation();
  return (
    <ul className={css.starters} aria-label={t('assistant.tryAsking')}>
      {(['average', 'holders', 'wei', 'tables'] as const).map((name) => (
        <li key={name}>
          <button type="button" onClick={() => onAsk(t(`assistant.starter.${name}`))}>
            {t(`assistant.starter.${name}`)}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ComposerProps {
  text: string;
  busy: boolean;
  onWrite: (text: string) => void;
  onSend: (question: string) => void;
  onStop: () => void;
}

function Composer({ text, busy, onWrite, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const question = text.trim();
  const send = () => {
    if (busy || question === '') return;
    onWrite('');
    onSend(question);
  };
  const stop = (event: MouseEvent) => {
    // The button may be the one that sends before this click is over.
    event.preventDefault();
    onStop();
    // Then it is off: by keys one goes on in the field.
    if (event.detail === 0) field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that chooses a character of an input method is not meant for us.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const icon = { size: 16, strokeWidth: 1.6, 'aria-hidden': true };
  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea ref={field} rows={2} maxLength={longestQuestion} value={text} placeholder={t('assistant.placeholder')} aria-label={t('assistant.question')} onChange={(event) => onWrite(event.target.value)} onKeyDown={onKeyDown} />
      {busy ? (
        <Button icon={<CircleStop {...icon} />} onClick={stop}>
          {t('assistant.stop')}
        </Button>
      ) : (
        <Button type="submit" kind="primary" icon={<SendHorizontal {...icon} />} disabled={question === ''}>
          {t('assistant.ask')}
        </Button>
      )}
    </form>
  );
}
