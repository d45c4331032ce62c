// Turning the second factor off, or replacing its recovery codes: both need the password and a code.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notices';
import { secondFactorKey } from '../api';
import { RecoveryCodes } from './recovery-codes';
import account from '../account.module.css';
import css from '../security.module.css';

export function ChangeSecondFactor({ change, onClose }: { change: 'off' | 'renew'; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const id = useId();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const changing = useMutation({
    mutationFn: async () => {
      const body = { password, secondCode: code.trim() };
      if (change === 'renew') return (await call('post', '/api/user/second-factor/recovery-codes', { body, quiet: true })).recoveryCodes;
      await call('post', '/api/user/second-factor/off', { body, quiet: true });
      return null;
    },
    onSuccess: async (codes) => {
      await client.invalidateQueries({ queryKey: secondFactorKey });
      if (codes !== null) return;
      notify.success(t('account.security.second.turnedOff'));
      onClose();
    },
    gcTime: 0,
  });
  if (changing.data) return <RecoveryCodes codes={changing.data} onClose={onClose} />;
  return (
    <Dialog
      title={t(change === 'off' ? 'account.security.second.offTitle' : 'account.security.second.renew')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={id} kind={change === 'off' ? 'danger' : 'primary'} busy={changing.isPending}>
            {t(change === 'off' ? 'account.security.second.turnOff' : 'account.security.second.renew')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={css.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          if (!changing.isPending) changing.mutate();
        }}
      >
        <p>{t(change === 'off' ? 'account.security.second.offText' : 'account.security.second.renewText')}</p>
        {changing.error && (
          <p className={account.refused} role="alert">
            {messageOf(changing.error)}
          </p>
        )}
        <Field type="password" label={t('session.password')} value={password} required autoComplete="current-password" onChange={(event) => setPassword(event.target.value)} />
        <Field label={t('account.security.second.code')} hint={t('session.secondHint')} value={code} required autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} maxLength={40} onChange={(event) => setCode(event.target.value)} />
      </form>
    </Dialog>
  );
}
