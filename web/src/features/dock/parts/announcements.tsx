// Messages of the administrators that come while the page is open: they stay until they are closed.
import { useQueryClient } from '@tanstack/react-query';
import { Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { live } from '@/live/socket';
import { IconButton } from '@/ui/button';
import css from './dock.module.css';

interface Announcement {
  msg: string;
  /** Milliseconds since 1970. */
  time: number;
  type: string;
}

const most = 3;

export function Announcements() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [shown, setShown] = useState<readonly Announcement[]>([]);
  useEffect(
    () =>
      live.listen(({ type, data }) => {
        if (type !== 'platform.message') return;
        setShown((now) => [...now, data as Announcement].slice(-most));
        void client.invalidateQueries({ queryKey: ['platform messages'] });
      }),
    [client],
  );
  return (
    <div className={css.announcements} role="status">
      {shown.map((message) => (
        <div key={`${message.time} ${message.msg}`} className={css.announcement} data-type={message.type}>
          {message.type === 'warning' ? <TriangleAlert size={18} strokeWidth={1.6} aria-hidden /> : <Info size={18} strokeWidth={1.6} aria-hidden />}
          <p>{message.msg}</p>
          <IconButton size="small" label={t('common.close')} icon={<X size={16} strokeWidth={1.6} />} onClick={() => setShown(shown.filter((one) => one !== message))} />
        </div>
      ))}
    </div>
  );
}
