// One chat: what was written, what is on its way, and the field to write in.
import { Check, CheckCheck, ChevronUp, GripVertical, LoaderCircle, Minus, SendHorizontal, TriangleAlert, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { useStore } from '@/lib/store';
import { dayOf, formatTime } from '@/lib/time';
import { Button, IconButton } from '@/ui/button';
import { useKeepPlace } from '@/ui/keep-place';
import { notify } from '@/ui/notices';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { chats, closeWindow, fillWindow, foldWindow, loadLetters, openWindow, sendAgain, sendLetter, setDraft } from '../model/chats';
import type { Letter } from '../model/letters';
import { useDrag } from '../model/use-drag';
import { Face } from './face';
import { usePanel } from './use-panel';
import css from './chat.module.css';
import dock from './dock.module.css';

const longest = 2000;

/** Who is online is known of those in the list: a first letter has to be written before. */
function usePerson(userName: string) {
  const contact = useStore(chats).contacts?.find((one) => one.username === userName);
  return { picture: contact?.avatar ?? '', online: contact?.online, unread: contact?.unread ?? 0 };
}

/** A folded chat. */
export function ChatChip({ userName }: { userName: string }) {
  const { t } = useTranslation();
  const { picture, online, unread } = usePerson(userName);
  return (
    <div className={css.chip}>
      <Face name={userName} picture={picture} online={online} />
      <strong className="ellipsis">{userName}</strong>
      {unread > 0 && (
        <span className={dock.count} aria-label={t('dock.unread', { count: unread })}>
          {unread}
        </span>
      )}
      <IconButton size="small" label={t('dock.unfold', { name: userName })} icon={<ChevronUp size={17} strokeWidth={1.6} />} onClick={() => openWindow(userName)} />
      <IconButton size="small" label={t('dock.close', { name: userName })} icon={<X size={16} strokeWidth={1.6} />} onClick={() => closeWindow(userName)} />
    </div>
  );
}

export function ChatWindow({ userName }: { userName: string }) {
  const { t } = useTranslation();
  const panel = usePanel(() => closeWindow(userName));
  const { offset, handlers } = useDrag(panel);
  const { picture, online } = usePerson(userName);
  return (
    <section ref={panel} className={css.chat} role="dialog" aria-label={t('dock.chatWith', { name: userName })} tabIndex={-1} style={{ transform: `translate(${offset.x}px, ${offset.y}px)` }}>
      <header className={css.chatHead} {...handlers}>
        <GripVertical size={16} strokeWidth={1.6} aria-hidden />
        <Face name={userName} picture={picture} online={online} />
        <span className={dock.words}>
          <strong>{userName}</strong>
          {online !== undefined && <small>{t(online ? 'dock.online' : 'dock.offline')}</small>}
        </span>
        <IconButton size="small" label={t('dock.fold', { name: userName })} icon={<Minus size={17} strokeWidth={1.6} />} onClick={() => foldWindow(userName)} />
        <IconButton size="small" label={t('dock.close', { name: userName })} icon={<X size={17} strokeWidth={1.6} />} onClick={() => closeWindow(userName)} />
      </header>
      <Letters userName={userName} />
      <Write userName={userName} />
    </section>
  );
}

function Letters({ userName }: { userName: string }) {
  const { t } = useTranslation();
  const { threads, problems } = useStore(chats);
  const thread = threads[userName];
  const problem = problems[userName];
  const box = useRef<HTMLDivElement>(null);
  const [loading, setLoading] = useState(false);
  const letters = thread?.letters ?? [];
  const newest = letters.at(-1)?.key;

  // A new letter is seen; older ones that come above leave the place where it was.
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  const height = useRef(0);
  const first = letters[0]?.key;
  useLayoutEffect(() => {
    const element = box.current;
    if (element && height.current > 0) element.scrollTop += element.scrollHeight - height.current;
    height.current = 0;
  }, [first]);

  const older = () => {
    height.current = box.current?.scrollHeight ?? 0;
    setLoading(true);
    loadLetters(userName, true)
      .catch((error: unknown) => {
        height.current = 0;
        notify.error(messageOf(error));
      })
      .finally(() => setLoading(false));
  };
  return (
    // Scrolls, so the keyboard has to be able to reach it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={box} className={css.letters} role="log" aria-label={t('dock.letters')} tabIndex={0}>
      {thread && !thread.whole && thread.oldest !== null && <Older busy={loading} onOlder={older} />}
      {!thread && (problem === undefined ? <Skeleton height="8em" /> : <Failed message={problem} onRetry={() => fillWindow(userName)} />)}
      {thread && letters.length === 0 && <Empty title={t('dock.noLetters')} />}
      {letters.map((letter, index) => {
        const day = dayOf(letter.time);
        const before = letters[index - 1];
        return (
          <div key={letter.key} className={css.letterRow}>
            {(!before || dayOf(before.time) !== day) && <p className={css.day}>{t('dock.day', { day })}</p>}
            <LetterView letter={letter} onAgain={() => sendAgain(userName, letter.key)} />
          </div>
        );
      })}
    </div>
  );
}

function LetterView({ letter, onAgain }: { letter: Letter; onAgain: () => void }) {
  const { t } = useTranslation();
  const clock = formatTime(letter.time).slice(11, 16);
  return (
    <div className={css.letter} data-mine={letter.mine} data-delivery={letter.delivery}>
      <p className={css.bubble}>{letter.text}</p>
      <p className={css.fate}>
        {letter.delivery === 'sending' && (
          <>
            <LoaderCircle size={13} strokeWidth={1.8} className={css.turning} aria-hidden />
            {t('dock.sending')}
          </>
        )}
        {letter.delivery === 'late' && <Late problem={letter.problem} onAgain={onAgain} />}
        {letter.mine && letter.delivery === 'kept' && (
          <span role="img" aria-label={t(letter.read ? 'dock.read' : 'dock.delivered')}>
            {letter.read ? <CheckCheck size={14} strokeWidth={1.8} /> : <Check size={14} strokeWidth={1.8} />}
          </span>
        )}
        <time dateTime={new Date(letter.time).toISOString()}>{clock}</time>
      </p>
    </div>
  );
}

/** It goes once there is nothing older: by keys one goes on in the letters. */
function Older({ busy, onOlder }: { busy: boolean; onOlder: () => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLDivElement>();
  return (
    <div ref={place} className={css.older}>
      <Button size="small" kind="text" busy={busy} onClick={onOlder}>
        {t('dock.older')}
      </Button>
    </div>
  );
}

/** It goes while the letter is on its way once more: by keys one goes on at the letter. */
function Late({ problem, onAgain }: { problem: string | undefined; onAgain: () => void }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLSpanElement>();
  return (
    <span ref={place} role="alert" className={css.late}>
      <TriangleAlert size={13} strokeWidth={1.8} aria-hidden />
      {problem ?? t('dock.late')}{' '}
      <button type="button" onClick={onAgain}>
        {t('dock.again')}
      </button>
    </span>
  );
}

/** Enter sends, Shift and Enter start a line; an empty text does nothing. */
function Write({ userName }: { userName: string }) {
  const { t } = useTranslation();
  const text = useStore(chats).drafts[userName] ?? '';
  const setText = (next: string) => setDraft(userName, next);
  const submit = () => {
    if (sendLetter(userName, text)) setText('');
  };
  return (
    <form
      className={css.write}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        aria-label={t('dock.writeLetter', { name: userName })}
        rows={2}
        maxLength={longest}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // While an input method is open, Enter chooses a word.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <Button type="submit" kind="primary" disabled={text.trim() === ''} aria-label={t('dock.send')} icon={<SendHorizontal size={17} strokeWidth={1.6} />} />
    </form>
  );
}
