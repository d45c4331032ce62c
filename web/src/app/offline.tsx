// A line that says that the server can't be reached; it leaves when the server is there again.
import { WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { connectionBack, connectionLost, serverAnswers, useConnected } from '@/lib/connection';
import { notify } from '@/ui/notices';
import { OnTop } from '@/ui/on-top';
import { loadAgain } from '@/ui/part';
import { queryClient } from './query-client';
import css from './app.module.css';

export function Offline() {
  const { t } = useTranslation();
  const connected = useConnected();
  useEffect(() => {
    addEventListener('offline', connectionLost);
    return () => removeEventListener('offline', connectionLost);
  }, []);
  useEffect(() => {
    if (connected) return;
    const gone = new AbortController();
    void serverAnswers(gone.signal).then((there) => {
      if (!there) return;
      connectionBack();
      notify.success(t('shell.online'));
      // What failed meanwhile, and what is old by now.
      loadAgain();
      void queryClient.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' || query.isStale() });
    });
    return () => gone.abort();
  }, [connected, t]);
  if (connected) return null;
  return (
    <OnTop>
      <div className={css.offline} role="status">
        <WifiOff size={16} strokeWidth={1.6} />
        {t('shell.offline')}
      </div>
    </OnTop>
  );
}
