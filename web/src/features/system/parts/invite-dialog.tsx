// Making an invitation. Its code is shown this once: the server keeps only its hash.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Select } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { ApiError, messageOf } from '@/api/error';
import { invitationLink } from '@/lib/invitation';
import { formatTime } from '@/lib/time';
import { emailProblem } from '@/lib/validate';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { CopyButton } from '@/ui/parts';
import css from '../kit/kit.module.css';

const lives = [1, 7, 30, 90] as const;
const usualLife = 7;

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [days, setDays] = useState<number>(usualLife);
  const [sent, setSent] = useState(false);
  const id = useId();
  const making = useMutation({
    mutationFn: async () => {
      const to = email.trim();
      const made = await call('post', '/api/system/invitation/create', { body: { email: to === '' ? null : to, days }, quiet: true });
      return { ...made, email: to };
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['system'] }),
  });
  if (making.data) return <Made {...making.data} onClose={onClose} />;

  const wrong = sent && emailProblem(email.trim()) !== null;
  const { error } = making;
  const ofEmail = error instanceof ApiError && error.param === 'email';
  const problem = wrong ? t('session.problems.email') : ofEmail ? messageOf(error) : undefined;
  const make = () => {
    setSent(true);
    // Enter sends too, which the busy button does not keep from.
    if (!making.isPending && emailProblem(email.trim()) === null) making.mutate();
  };
  return (
    <Dialog
      title={t('system.invitations.invite')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={making.isPending} onClick={make}>
            {t('system.invitations.make')}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className={css.plainForm}
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        {error && !ofEmail ? (
          <p className={css.problem} role="alert">
            {messageOf(error)}
          </p>
        ) : null}
        <Field type="email" label={t('system.invitations.email')} note={t('session.optional')} hint={t('system.invitations.emailHint')} {...(problem === undefined ? {} : { error: problem })} value={email} maxLength={254} autoComplete="off" onChange={(event) => setEmail(event.target.value)} />
        <div className={css.plainField}>
          <label htmlFor={id}>{t('system.invitations.lasts')}</label>
          <Select<number> id={id} aria-label={t('system.invitations.lasts')} value={days} options={lives.map((value) => ({ value, label: t('system.invitations.days', { count: value }) }))} getPopupContainer={(trigger: HTMLElement) => trigger.parentElement ?? document.body} onChange={setDays} />
        </div>
        <button type="submit" hidden disabled={making.isPending} />
      </form>
    </Dialog>
  );
}

function Made({ code, email, expiresAt, onClose }: { code: string; email: string; expiresAt: number; onClose: () => void }) {
  const { t } = useTranslation();
  const link = invitationLink(location.origin, { code, email });
  const shown = useRef<HTMLElement>(null);
  // The button that had the focus is gone; the link is what is to be read now.
  useEffect(() => shown.current?.focus(), []);
  const date = formatTime(expiresAt);
  return (
    // It has to be closed by its button: a click beside it would lose the code.
    <Dialog
      title={t('system.invitations.madeTitle')}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('system.invitations.done')}
        </Button>
      }
    >
      <p>{email === '' ? t('system.invitations.madeAny', { date }) : t('system.invitations.madeFor', { email, date })}</p>
      <p>{t('system.invitations.madeOnce')}</p>
      <dl className={css.once}>
        <dt>{t('system.invitations.link')}</dt>
        <dd>
          <code ref={shown} tabIndex={-1}>
            {link}
          </code>
          <CopyButton text={link} label={t('system.invitations.copyLink')} />
        </dd>
        <dt>{t('system.invitations.code')}</dt>
        <dd>
          <code>{code}</code>
          <CopyButton text={code} label={t('system.invitations.copyCode')} />
        </dd>
      </dl>
    </Dialog>
  );
}
