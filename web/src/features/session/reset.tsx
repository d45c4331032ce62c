// Another password for whoever is logged in.
import { useMutation } from '@tanstack/react-query';
import { LockKeyhole } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { resetPassword } from '@/api/account';
import { messageOf } from '@/api/error';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { signIn, useSession } from '@/lib/session';
import { newPasswordProblem, repeatProblem } from '@/lib/validate';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notices';
import { FormHead } from './form-head';
import { Strength } from './strength';
import { useFields } from './use-fields';
import css from './session.module.css';

const icon = <LockKeyhole size={17} strokeWidth={1.6} />;

export function Component() {
  const { t } = useTranslation();
  usePage(t('session.changePassword'));
  const navigate = useNavigate();
  const userName = useSession().account?.name ?? '';
  const fields = useFields({ current: '', password: '', repeat: '' }, ({ current, password, repeat }) => ({
    current: current === '' ? ('passwordMissing' as const) : null,
    password: newPasswordProblem(password),
    repeat: repeatProblem(password, repeat),
  }));
  const changing = useMutation({
    mutationFn: () => resetPassword(fields.values),
    onSuccess: (token) => {
      signIn(token);
      notify.success(t('session.passwordChanged'));
      return navigate(paths.info);
    },
  });
  const text = (name: keyof typeof fields.values) => {
    const problem = fields.problem(name);
    return problem ? { error: t(`session.problems.${problem}`) } : {};
  };
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (fields.complete(event.currentTarget)) changing.mutate();
      }}
    >
      <FormHead title={t('session.changePassword')} question={t('session.changeHint')} other={{ pathname: paths.info, name: t('session.backToInfo') }} error={changing.error && messageOf(changing.error)} />
      <Field {...fields.props('current')} {...text('current')} type="password" label={t('session.currentPassword')} icon={icon} autoComplete="current-password" />
      <Field {...fields.props('password')} {...text('password')} type="password" label={t('session.newPassword')} hint={t('session.newPasswordHint')} icon={icon} autoComplete="new-password" />
      <Strength password={fields.values.password} userName={userName} />
      <Field {...fields.props('repeat')} {...text('repeat')} type="password" label={t('session.repeat')} icon={icon} autoComplete="new-password" />
      <Button type="submit" kind="primary" size="large" block busy={changing.isPending}>
        {t('session.changePassword')}
      </Button>
    </form>
  );
}
