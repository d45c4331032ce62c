// Opens the list of chats; a dot says that something is unread.
import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { hiddenOn } from '@/features/dock/model/place';
import { openChatList, unread } from '@/live/chats';
import { useStore } from '@/lib/store';
import { IconButton } from '@/ui/button';
import css from './top-bar.module.css';

export function MessagesButton() {
  const { t } = useTranslation();
  const dot = useStore(unread);
  const { pathname } = useLocation();
  if (hiddenOn(pathname)) return null;
  return (
    <span className={css.messages} data-unread={dot}>
      <IconButton size="small" label={t(dot ? 'shell.messagesUnread' : 'shell.messages')} icon={<Bell size={17} strokeWidth={1.6} />} onClick={openChatList} />
    </span>
  );
}
