// The dialog of an expired login: the same person goes on where they are, with all that stands on the page, or leaves it.
import { LockKeyhole, UserRound } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { paths } from '@/lib/paths';
import { renewSession, signIn, useSession } from '@/lib/session';
import { passwordProblem, userNameProblem } from '@/lib/validate';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { Refusal } from './form-head';
import { SecondCodeField, SentCodeField } from './login-codes';
import { useFields } from './use-fields';
import { useLogin } from './use-login';
import { useLoginOptions } from './use-login-options';
import css from './session.module.css';

const icon = { size: 17, strokeWidth: 1.6 };

export function LogInAgain({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  // A page that was opened with an expired login never heard whose it was.
  const known = useSession().account?.name;
  const { step, error, entering, enter } = useLogin(known === undefined ? signIn : renewSession);
  const fields = useFields({ userName: '', password: '', secondCode: '', sentCode: '' }, ({ userName, password, secondCode }) => ({
    userName: known === undefined ? userNameProblem(userName) : null,
    password: passwordProblem(password),
    secondCode: step === 'second' && secondCode.trim() === '' ? ('secondCode' as const) : null,
    sentCode: null,
  }));
  const userName = known ?? fields.values.userName;
  const text = (name: keyof typeof fields.values) => {
    const problem = fields.problem(name);
    return problem && t(`session.problems.${problem}`);
  };
  const second = text('secondCode');
  const { data: options } = useLoginOptions();
  const passwords = options?.passwords !== false;

  return (
    <Dialog
      alert
      title={t('session.expiredTitle')}
      actions={
        <>
          {passwords && (
            <Button type="submit" form={id} busy={entering}>
              {t('session.logIn')}
            </Button>
          )}
          <Button kind="primary" onClick={onLeave}>
            {t('session.leave')}
          </Button>
        </>
      }
    >
      {t('session.expired')}
      {passwords && (
        <form
          id={id}
          noValidate
          className={css.again}
          onSubmit={(event) => {
            event.preventDefault();
            const { password, secondCode, sentCode } = fields.values;
            if (!entering && fields.complete(event.currentTarget)) enter({ userName, password, ...(step === 'second' && { secondCode: secondCode.trim() }), ...(sentCode.trim() !== '' && { sentCode: sentCode.trim() }) });
          }}
        >
          {error && <Refusal message={messageOf(error)} />}
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
          {step === 'second' && <SecondCodeField {...fields.props('secondCode')} {...(second === undefined ? {} : { error: second })} />}
          {step === 'sent' && <SentCodeField {...fields.props('sentCode')} userName={userName} />}
        </form>
      )}
      {options?.provider && (
        // In a new tab, so that unsaved work on this page is kept. A log-in there also applies here.
        <p className={css.elsewhere}>
          <a href={paths.provider} target="_blank" rel="noreferrer">
            {options.provider.label ? t('session.provider.with', { name: options.provider.label }) : t('session.provider.company')}
          </a>{' '}
          {t('session.provider.newTab')}
        </p>
      )}
    </Dialog>
  );
}
