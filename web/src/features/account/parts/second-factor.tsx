// The second factor of the account: whether there is one, setting it up, and turning it off.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { dayOf } from '@/lib/time';
import { Button } from '@/ui/button';
import { Card, Failed, Skeleton, Tag } from '@/ui/parts';
import { secondFactorKey } from '../api';
import { ChangeSecondFactor } from './second-factor-change';
import { SetUpSecondFactor } from './second-factor-set-up';
import css from '../security.module.css';

type Doing = 'setUp' | 'off' | 'renew';

export function SecondFactor() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ queryKey: secondFactorKey, queryFn: ({ signal }) => call('get', '/api/user/second-factor', { signal, quiet: true }) });
  const [doing, setDoing] = useState<Doing | null>(null);
  return (
    <Card title={t('account.security.second.title')} extra={data && <Tag tone={data.on ? 'ok' : 'plain'}>{t(data.on ? 'account.security.second.isOn' : 'account.security.second.isOff')}</Tag>}>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className={css.room}>
          <Skeleton height="max(0.7rem, 60px)" width="100%" />
        </div>
      ) : (
        <div className={css.second}>
          <p>{data.on ? t('account.security.second.on', { date: dayOf(data.since ?? 0) }) : t('account.security.second.off')}</p>
          {data.on && <p>{t('account.security.second.left', { count: data.recoveryCodes })}</p>}
          <p className={css.soft}>{t('account.security.second.programs')}</p>
          <div className={css.actions}>
            {data.on ? (
              <>
                <Button onClick={() => setDoing('renew')}>{t('account.security.second.renew')}</Button>
                <Button kind="danger" onClick={() => setDoing('off')}>
                  {t('account.security.second.turnOff')}
                </Button>
              </>
            ) : (
              <Button onClick={() => setDoing('setUp')}>{t('account.security.second.turnOn')}</Button>
            )}
          </div>
        </div>
      )}
      {doing === 'setUp' && <SetUpSecondFactor onClose={() => setDoing(null)} />}
      {(doing === 'off' || doing === 'renew') && <ChangeSecondFactor change={doing} onClose={() => setDoing(null)} />}
    </Card>
  );
}
