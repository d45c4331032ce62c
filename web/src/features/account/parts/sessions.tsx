// Where the account is logged in, and ending that.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/ui/notices';
import { Card, Failed, Skeleton, Tag } from '@/ui/parts';
import { sessionsKey } from '../api';
import { nameOf } from './agent';
import account from '../account.module.css';
import css from '../security.module.css';

type Session = Schemas['OwnSession'];

export function Sessions() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ queryKey: sessionsKey, queryFn: ({ signal }) => call('get', '/api/user/session/list', { signal, quiet: true }) });
  const [asking, setAsking] = useState(false);
  const others = data?.some((session) => !session.current) ?? false;
  return (
    <Card
      title={t('account.security.sessions.title')}
      extra={
        others && (
          <Button size="small" kind="danger" onClick={() => setAsking(true)}>
            {t('account.security.sessions.endOthers')}
          </Button>
        )
      }
    >
      <p className={account.lead}>{t('account.security.sessions.text')}</p>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={css.sessions} aria-busy={!data} tabIndex={data && data.length > 6 ? 0 : undefined} aria-label={t('account.security.sessions.title')}>
          {data?.map((session) => <Row key={session.sessionId} session={session} />) ?? (
            <li>
              <Skeleton height="max(0.5rem, 44px)" width="100%" />
            </li>
          )}
        </ul>
      )}
      {data && !others && <p className={`${css.soft ?? ''} ${css.room ?? ''}`}>{t('account.security.sessions.none')}</p>}
      {asking && <EndOthers onClose={() => setAsking(false)} />}
    </Card>
  );
}

function Row({ session }: { session: Session }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => call('post', '/api/user/session/end/{id}', { path: { id: session.sessionId } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  });
  const known = nameOf(session.agent);
  const name = !known ? t('account.security.sessions.unknown') : known.system ? t('account.security.sessions.onSystem', { browser: known.browser, system: known.system }) : known.browser;
  return (
    <li>
      <div>
        <b title={session.agent}>{name}</b>
        {session.kind !== 'password' && <Tag>{t(`account.security.sessions.kinds.${session.kind}`)}</Tag>}
        {session.current && <Tag tone="ok">{t('account.security.sessions.current')}</Tag>}
        <p className={css.soft}>{t('account.security.sessions.from', { address: session.address, login: formatTime(session.loginTime), seen: formatTime(session.lastSeenTime) })}</p>
      </div>
      {!session.current && (
        <Button size="small" aria-label={t('account.security.sessions.endOne', { name })} busy={ending.isPending} onClick={() => ending.mutate()}>
          {t('account.security.sessions.end')}
        </Button>
      )}
    </li>
  );
}

function EndOthers({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => call('post', '/api/user/session/end-others', {}),
    onSuccess: async (count) => {
      await client.invalidateQueries({ queryKey: sessionsKey });
      notify.success(t('account.security.sessions.ended', { count }));
      onClose();
    },
  });
  return (
    <Dialog
      title={t('account.security.sessions.endOthersTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="danger" busy={ending.isPending} onClick={() => ending.mutate()}>
            {t('account.security.sessions.endOthers')}
          </Button>
        </>
      }
    >
      {t('account.security.sessions.endOthersText')}
    </Dialog>
  );
}
