// Whether a user has a second factor, and removing it when its owner has lost it.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { useSession } from '@/lib/session';
import { dayOf } from '@/lib/time';
import { Button } from '@/ui/button';
import { Failed, Skeleton, Tag } from '@/ui/parts';
import { useAct } from '../kit/act';
import css from '../kit/kit.module.css';

export function UserSecondFactor({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation();
  const { account } = useSession();
  const act = useAct();
  const factor = useQuery({
    queryKey: ['system', 'second factor', id],
    queryFn: ({ signal }) => call('get', '/api/system/user/second-factor/{id}', { path: { id }, signal, quiet: true }),
  });
  const state = factor.data;
  const remove = () =>
    act({
      run: () => call('delete', '/api/system/user/second-factor/{id}', { path: { id } }),
      done: t('system.users.secondRemoved', { name }),
      confirm: { title: t('system.users.secondRemoveTitle', { name }), text: t('system.users.secondRemoveText'), ok: t('system.users.secondRemove') },
    });
  return (
    <section>
      <h2 className={css.sub}>{t('system.users.second')}</h2>
      {factor.isError && <Failed message={messageOf(factor.error)} onRetry={() => void factor.refetch()} />}
      {factor.isPending && <Skeleton height="1.4em" width="60%" />}
      {state && (
        <div className={css.line}>
          <p>
            <Tag tone={state.on ? 'ok' : 'plain'}>{t(state.on ? 'system.users.secondOn' : 'system.users.secondOff')}</Tag>
            {typeof state.since === 'number' ? (
              <span className={css.soft}>
                {t('system.users.secondSince', { date: dayOf(state.since) })} · {t('system.users.secondLeft', { count: state.recoveryCodes })}
              </span>
            ) : null}
          </p>
          {/* One's own takes the password and a code, on the page of the account. */}
          {state.on && String(id) !== account?.id ? (
            <Button size="small" kind="danger" onClick={remove}>
              {t('system.users.secondRemove')}
            </Button>
          ) : null}
        </div>
      )}
    </section>
  );
}
