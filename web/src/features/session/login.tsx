// Log in.
import { useMutation } from '@tanstack/react-query';
import { LockKeyhole, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { login } from '@/api/account';
import { messageOf } from '@/api/error';
import { safeRedirect } from '@/lib/guard';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { signIn } from '@/lib/session';
import { passwordProblem, userNameProblem } from '@/lib/validate';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { FormHead } from './form-head';
import { useFields } from './use-fields';
import css from './session.module.css';

const icon = { size: 17, strokeWidth: 1.6 };

export function Component() {
  const { t } = useTranslation();
  usePage(t('session.logIn'));
  const [search] = useSearchParams();
  const target = safeRedirect(search.get('redirect'), location.origin);
  const fields = useFields({ userName: '', password: '' }, ({ userName, password }) => ({
    userName: userNameProblem(userName),
    password: passwordProblem(password),
  }));
  // The guard then leads on to the page that asked for the login.
  const entering = useMutation({ mutationFn: () => login(fields.values.userName, fields.values.password), onSuccess: signIn });
  const text = (name: 'userName' | 'password') => {
    const problem = fields.problem(name);
    return problem && t(`session.problems.${problem}`);
  };

  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (fields.complete(event.currentTarget)) entering.mutate();
      }}
    >
      <FormHead title={t('session.logIn')} question={t('session.newHere')} other={{ pathname: paths.register, name: t('session.createAnAccount') }} error={entering.error && messageOf(entering.error)} />
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
      <Link to={paths.forget} className={css.forgot}>
        {t('session.forgotLink')}
      </Link>
      <Button type="submit" kind="primary" size="large" block busy={entering.isPending}>
        {t('session.logIn')}
      </Button>
      {target !== paths.home && (
        <p className={css.after}>
          {t('session.returnTo')} <span>{target}</span>
        </p>
      )}
    </form>
  );
}
