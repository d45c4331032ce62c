// Log in.
import { LockKeyhole, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { messageOf } from '@/api/error';
import { safeRedirect } from '@/lib/guard';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { signIn } from '@/lib/session';
import { passwordProblem, userNameProblem } from '@/lib/validate';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { FormHead, Refusal } from './form-head';
import { SecondCodeField, SentCodeField } from './login-codes';
import { useFields } from './use-fields';
import { ProviderButton } from './provider-button';
import { useLogin } from './use-login';
import { useLoginOptions } from './use-login-options';
import css from './session.module.css';

const icon = { size: 17, strokeWidth: 1.6 };

export function Component() {
  const { t } = useTranslation();
  usePage(t('session.logIn'));
  const [search] = useSearchParams();
  const target = safeRedirect(search.get('redirect'), location.origin);
  const { data: options } = useLoginOptions();
  // The guard then leads on to the page that asked for the login.
  const { step, error, entering, enter, startOver } = useLogin(signIn);
  const fields = useFields({ userName: '', password: '', secondCode: '', sentCode: '' }, ({ userName, password, secondCode }) => ({
    userName: userNameProblem(userName),
    password: passwordProblem(password),
    secondCode: step === 'second' && secondCode.trim() === '' ? ('secondCode' as const) : null,
    sentCode: null,
  }));
  const text = (name: keyof typeof fields.values) => {
    const problem = fields.problem(name);
    return problem && t(`session.problems.${problem}`);
  };
  const second = text('secondCode');
  const way = options?.provider && <ProviderButton provider={options.provider} target={target} beside={options.passwords} />;
  if (way && !options.passwords) {
    return (
      <div className={css.form}>
        <h1>{t('session.logIn')}</h1>
        {way}
        <Onward target={target} />
      </div>
    );
  }

  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        const { userName, password, secondCode, sentCode } = fields.values;
        if (!entering && fields.complete(event.currentTarget)) enter({ userName, password, ...(step === 'second' && { secondCode: secondCode.trim() }), ...(sentCode.trim() !== '' && { sentCode: sentCode.trim() }) });
      }}
    >
      {step === 'second' ? (
        <>
          <div>
            <h1>{t('session.secondTitle')}</h1>
            <p className={css.lead}>{t('session.secondText')}</p>
          </div>
          {error && <Refusal message={messageOf(error)} />}
          <input hidden readOnly name="userName" value={fields.values.userName} autoComplete="username" />
          <SecondCodeField {...fields.props('secondCode')} {...(second === undefined ? {} : { error: second })} />
        </>
      ) : (
        <>
          <FormHead title={t('session.logIn')} question={t('session.newHere')} other={{ pathname: paths.register, name: t('session.createAnAccount') }} error={error && messageOf(error)} />
          <Field
            {...fields.props('userName')}
            label={t('session.userName')}
            hint={t('session.userNameHint')}
            error={text('userName')}
            icon={<UserRound {...icon} />}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Field
            {...fields.props('password')}
            type="password"
            label={t('session.password')}
            error={text('password')}
            icon={<LockKeyhole {...icon} />}
            autoComplete="current-password"
          />
          {step === 'sent' && <SentCodeField {...fields.props('sentCode')} userName={fields.values.userName} />}
          <Link to={paths.forget} className={css.forgot}>
            {t('session.forgotLink')}
          </Link>
        </>
      )}
      <Button type="submit" kind="primary" size="large" block busy={entering}>
        {t('session.logIn')}
      </Button>
      {step === 'second' && (
        <button type="button" className={css.link} onClick={startOver}>
          {t('session.startOver')}
        </button>
      )}
      {step !== 'second' && way}
      <Onward target={target} />
    </form>
  );
}

/** Where the log-in leads, unless that is where everybody goes. */
function Onward({ target }: { target: string }) {
  const { t } = useTranslation();
  if (target === paths.home) return null;
  return (
    <p className={css.after}>
      {t('session.returnTo')} <span>{target}</span>
    </p>
  );
}
