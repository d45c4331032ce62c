// The people one writes with, unread first, and messages of the platform.
import { useQuery } from '@tanstack/react-query';
import { Megaphone, Search, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { useTimeTexts } from '@/i18n/time';
import { useNow } from '@/lib/now';
import { useStore } from '@/lib/store';
import { formatMoment } from '@/lib/time';
import { IconButton } from '@/ui/button';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { chats, loadContacts } from '../model/chats';
import type { Contact } from '../model/contacts';
import { Face } from './face';
import { usePanel } from './use-panel';
import css from './dock.module.css';

interface ChatListProps {
  onClose: () => void;
  onOpen: (userName: string) => void;
}

export function ChatList({ onClose, onOpen }: ChatListProps) {
  const { t } = useTranslation();
  const panel = usePanel(onClose);
  const { contacts, windows } = useStore(chats);
  const [wanted, setWanted] = useState('');
  const [failed, setFailed] = useState<unknown>(null);
  const load = () => {
    setFailed(null);
    loadContacts().catch(setFailed);
  };
  useEffect(() => {
    loadContacts().catch(setFailed);
  }, []);

  const name = wanted.trim().toLowerCase();
  const shown = (contacts ?? []).filter((contact) => contact.username.includes(name));
  const unread = (contacts ?? []).reduce((sum, contact) => sum + contact.unread, 0);
  const front = windows.at(-1)?.userName;
  return (
    <section ref={panel} className={css.list} role="dialog" aria-label={t('dock.messages')} tabIndex={-1}>
      <header className={css.head}>
        <h2>{t('dock.messages')}</h2>
        {unread > 0 && <small>{t('dock.unread', { count: unread })}</small>}
        <IconButton size="small" label={t('common.close')} icon={<X size={17} strokeWidth={1.6} />} onClick={onClose} />
      </header>
      <form
        className={css.find}
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '') onOpen(meant(name, shown));
        }}
      >
        <Search size={16} strokeWidth={1.6} aria-hidden />
        <input type="search" aria-label={t('dock.find')} placeholder={t('dock.find')} maxLength={16} value={wanted} onChange={(event) => setWanted(event.target.value)} />
      </form>
      <div className={css.people}>
        <PlatformRow />
        {failed !== null && !contacts && <Failed message={messageOf(failed)} onRetry={load} />}
        {!contacts && failed === null && <Skeleton height="6em" />}
        {contacts && shown.length === 0 && (
          <Empty title={t('common.noData')}>{name === '' ? t('dock.nobody') : t('dock.writeTo', { name })}</Empty>
        )}
        <ul>
          {shown.map((contact) => (
            <li key={contact.username}>
              <Row contact={contact} open={contact.username === front} onOpen={() => onOpen(contact.username)} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Whom a typed name means: who is called so, else the only one whose name begins so, else somebody new. */
function meant(name: string, among: readonly Contact[]): string {
  const [first, second] = among.filter(({ username }) => username.startsWith(name));
  if (among.some(({ username }) => username === name) || first === undefined || second !== undefined) return name;
  return first.username;
}

const minuteMs = 60_000;

/** A moment in a list: how long ago, or when. */
function When({ ms }: { ms: number }) {
  const { t } = useTranslation();
  const { ago } = useTimeTexts();
  const now = useNow(minuteMs);
  return (
    <time dateTime={new Date(ms).toISOString()} title={t('shell.blockTime', { time: formatMoment(ms) })}>
      {ago(ms, now) ?? formatMoment(ms)}
    </time>
  );
}

function Row({ contact, open, onOpen }: { contact: Contact; open: boolean; onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className={css.person} aria-current={open} onClick={onOpen}>
      <Face name={contact.username} picture={contact.avatar} online={contact.online} />
      <span className={css.words}>
        <strong>{contact.username}</strong>
        <span>{contact.content}</span>
      </span>
      <span className={css.aside}>
        {contact.sendTime > 0 && <When ms={contact.sendTime} />}
        {contact.unread > 0 && (
          <span className={css.count} aria-label={t('dock.unread', { count: contact.unread })}>
            {contact.unread}
          </span>
        )}
      </span>
    </button>
  );
}

const shownMessages = 20;

/** Messages of the administrators to everybody, folded to the newest one. */
function PlatformRow() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const list = useQuery({ queryKey: ['platform messages'], queryFn: ({ signal }) => call('get', '/api/platform/message/list', { query: { size: shownMessages }, signal, quiet: true }) }).data?.items ?? [];
  const [newest] = list;
  if (!newest) return null;
  return (
    <div className={css.platform}>
      <button type="button" className={css.person} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={css.sign}>
          <Megaphone size={17} strokeWidth={1.6} aria-hidden />
        </span>
        <span className={css.words}>
          <strong>{t('dock.platform')}</strong>
          <span>{newest.msg}</span>
        </span>
        <span className={css.aside}>
          <When ms={newest.time} />
        </span>
      </button>
      {open && (
        <ol>
          {list.map((message) => (
            <li key={message.id} data-type={message.type}>
              <small>{t('shell.blockTime', { time: formatMoment(message.time) })}</small>
              <p>{message.msg}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
