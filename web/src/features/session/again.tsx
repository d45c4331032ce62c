// The dialog of an expired login: the same person goes on where they are, with all that stands on the page, or leaves it.
import { useMutation } from '@tanstack/react-query';
import { LockKeyhole, UserRound } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { login } from '@/api/account';
import { messageOf } from '@/api/error';
import { renewSession, signIn, useSession } from '@/lib/session';
import { passwordProblem, userNameProblem } from '@/lib/validate';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { Refusal } from './form-head';
import { useFields } from './use-fields';
import css from './session.module.css';

const icon = { size: 17, strokeWidth: 1.6 };

export function LogInAgain({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  // A page that was opened with an expired login never heard whose it was.
  const known = useSession().account?.name;
  const fields = useFields({ userName: '', password: '' }, ({ userName, password }) => ({
    userName: known === undefined ? userNameProblem(userName) : null,
    password: passwordProblem(password),
  }));
  const entering = useMutation({
    mutationFn: () => login(known ?? fields.values.userName, fields.values.password),
    onSuccess: known === undefined ? signIn : renewSession,
  });
  const text = (name: 'userName' | 'password') => {
    const problem = fields.problem(name);
    return problem && t(`session.problems.${problem}`);
  };

  return (
    <Dialog
      alert
      title={t('session.expiredTitle')}
      actions={
        <>
          <Button onClick={onLeave}>{t('session.leave')}</Button>
          <Button type="submit" form={id} kind="primary" busy={entering.isPending}>
            {t('session.logIn')}
          </Button>
        </>
      }
    >
      {t('session.expired')}
      <form
        id={id}
        noValidate
        className={css.again}
        onSubmit={(event) => {
          event.preventDefault();
          if (!entering.isPending && fields.complete(event.currentTarget)) entering.mutate();
        }}
      >
        {entering.error && <Refusal message={messageOf(entering.error)} />}
        {known === undefined ? (
          <Field {...fields.props('userName')} label={t('session.userName')} error={text('userName')} icon={<UserRound {...icon} />} autoComplete="username" autoCapitalize="none" spellCheck={false} />
        ) : (
          // For password managers; the person reads the name below.
          <input hidden readOnly name="userName" value={known} autoComplete="username" />
        )}
        <Field
          {...fields.props('password')}
          type="password"
          label={t('session.password')}
          hint={known && t('session.expiredHint', { name: known })}
          error={text('password')}
          icon={<LockKeyhole {...icon} />}
          autoComplete="current-password"
        />
      </form>
    </Dialog>
  );
}
