// Setting up a second factor: the password, the picture for the app and a code of it, then the recovery codes.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { CopyButton } from '@/ui/parts';
import { secondFactorKey } from '../api';
import { RecoveryCodes } from './recovery-codes';
import account from '../account.module.css';
import css from '../security.module.css';

export function SetUpSecondFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const id = useId();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  // The secret and the codes stay in this dialog, and in no cache.
  const beginning = useMutation({ mutationFn: () => call('post', '/api/user/second-factor/begin', { body: { password }, quiet: true }), gcTime: 0 });
  const confirming = useMutation({
    mutationFn: () => call('post', '/api/user/second-factor/confirm', { body: { code: code.trim() }, quiet: true }),
    onSuccess: () => client.invalidateQueries({ queryKey: secondFactorKey }),
    gcTime: 0,
  });
  const setup = beginning.data;
  const step = setup ? confirming : beginning;
  if (confirming.data) return <RecoveryCodes codes={confirming.data.recoveryCodes} onClose={onClose} />;
  return (
    <Dialog
      title={t('account.security.second.title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={id} kind="primary" busy={step.isPending}>
            {t(setup ? 'account.security.second.confirm' : 'account.security.second.next')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={css.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          if (!step.isPending) step.mutate();
        }}
      >
        {step.error && (
          <p className={account.refused} role="alert">
            {messageOf(step.error)}
          </p>
        )}
        {setup ? (
          <Picture setup={setup} code={code} onCode={setCode} />
        ) : (
          <>
            <p>{t('account.security.second.passwordText')}</p>
            <Field type="password" label={t('session.password')} value={password} required autoComplete="current-password" onChange={(event) => setPassword(event.target.value)} />
          </>
        )}
      </form>
    </Dialog>
  );
}

function Picture({ setup, code, onCode }: { setup: Schemas['SecondFactorSetup']; code: string; onCode: (code: string) => void }) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  // The field of the password, which had the focus, is gone.
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <p>{t('account.security.second.scan')}</p>
      <img className={css.qr} src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.picture)}`} alt={t('account.security.second.picture')} width={220} height={220} />
      <p className={css.soft}>{t('account.security.second.byHand')}</p>
      <p className={css.secret}>
        <code>{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={setup.secret} label={t('account.security.second.copySecret')} />
      </p>
      <Field ref={field} label={t('account.security.second.code')} value={code} required inputMode="numeric" autoComplete="one-time-code" maxLength={10} onChange={(event) => onCode(event.target.value)} />
    </>
  );
}
