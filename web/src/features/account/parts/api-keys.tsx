// Keys of the developer API: made, shown once, listed, and ended.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChartColumn, KeyRound, Plus, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { useNow } from '@/lib/now';
import { dayOf } from '@/lib/time';
import { Button, IconButton } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Card, Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { apiKeysKey, useApiKeys } from '../api';
import { KeyDialog } from './key-dialog';
import { rulesOf } from './key-rules';
import { KeyUsage } from './key-usage';
import css from '../account.module.css';

type Key = Schemas['ApiKey'];

export function ApiKeys() {
  const { t } = useTranslation();
  const { data, error, refetch } = useApiKeys();
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<Key | null>(null);
  const [changing, setChanging] = useState<Key | null>(null);
  return (
    <div id="api-key" className={css.anchor}>
      <Card
        title={t('account.keys.title')}
        extra={
          <Button size="small" icon={<Plus size={16} strokeWidth={1.6} />} onClick={() => setMaking(true)}>
            {t('account.keys.generate')}
          </Button>
        }
      >
        <p className={css.lead}>{t('account.keys.text')}</p>
        {error && !data ? (
          <Failed message={messageOf(error)} onRetry={() => void refetch()} />
        ) : data?.length === 0 ? (
          <Empty icon={<KeyRound size={24} strokeWidth={1.4} />} title={t('account.keys.none')} />
        ) : (
          <ul className={css.keys} aria-busy={!data}>
            {data?.map((key) => <KeyRow key={key.id} apiKey={key} onChange={() => setChanging(key)} onEnd={() => setEnding(key)} />) ?? (
              <li>
                <Skeleton height="max(0.6rem, 54px)" width="100%" />
              </li>
            )}
          </ul>
        )}
      </Card>
      {making && <KeyDialog onClose={() => setMaking(false)} />}
      {changing && <KeyDialog apiKey={changing} onClose={() => setChanging(null)} />}
      {ending && <EndKey apiKey={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

function KeyRow({ apiKey: { id, name, prefix, createdAt, expiresAt, lastUsedAt, uses, restrictions }, onChange, onEnd }: { apiKey: Key; onChange: () => void; onEnd: () => void }) {
  const { t } = useTranslation();
  const [usage, setUsage] = useState(false);
  const now = useNow();
  const { referrers, addresses, metrics } = rulesOf(restrictions);
  const rules = [...referrers, ...addresses, ...metrics];
  const over = expiresAt !== null && expiresAt !== undefined && expiresAt <= now;
  return (
    <li>
      <div className={css.key}>
        <b>{name}</b>
        <Tag tone={over ? 'bad' : 'ok'}>{t(over ? 'account.keys.expired' : 'account.keys.active')}</Tag>
        <code>{prefix}…</code>
      </div>
      <p className={css.soft}>
        {t('account.keys.created', { date: dayOf(createdAt) })} · {expiresAt ? t('account.keys.expires', { date: dayOf(expiresAt) }) : t('account.keys.lasting')} · {lastUsedAt ? t('account.keys.used', { count: uses, uses: count(uses), date: dayOf(lastUsedAt) }) : t('account.keys.unused')}
      </p>
      {rules.length > 0 ? <p className={`${css.soft ?? ''} ellipsis`} title={rules.join(', ')}>{t('account.keys.only', { rules: rules.join(', ') })}</p> : null}
      <span className={css.keyTools}>
        <IconButton size="small" label={t('account.keys.usage', { name })} aria-expanded={usage} icon={<ChartColumn size={16} strokeWidth={1.6} />} onClick={() => setUsage(!usage)} />
        <IconButton size="small" label={t('account.keys.editTitle', { name })} icon={<Settings2 size={16} strokeWidth={1.6} />} onClick={onChange} />
        <Button size="small" kind="danger" aria-label={t('account.keys.revokeOne', { name })} onClick={onEnd}>
          {t('account.keys.revoke')}
        </Button>
      </span>
      {usage ? <KeyUsage id={id} name={name} /> : null}
    </li>
  );
}

/** Ending a key can't be undone, so it is asked for. */
function EndKey({ apiKey: { id, name }, onClose }: { apiKey: Key; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => call('post', '/api/user/api-key/delete/{id}', { path: { id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: apiKeysKey });
      onClose();
    },
  });
  return (
    <Dialog
      title={t('account.keys.revokeTitle', { name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="danger" busy={ending.isPending} onClick={() => ending.mutate()}>
            {t('account.keys.revoke')}
          </Button>
        </>
      }
    >
      {t('account.keys.revokeText')}
    </Dialog>
  );
}
