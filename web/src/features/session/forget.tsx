// A forgotten password: a code by mail or text message opens the way to a new one.
import { useMutation } from '@tanstack/react-query';
import { LockKeyhole, Mail, Phone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { forgetPassword, type Contact } from '@/api/account';
import { ApiError, messageOf } from '@/api/error';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { emailProblem, newPasswordProblem, phoneProblem, repeatProblem } from '@/lib/validate';
import { Button, ButtonLink } from '@/ui/button';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notices';
import { Empty } from '@/ui/parts';
import { CodeField } from './code-field';
import { FormHead } from './form-head';
import { Strength } from './strength';
import { useChannels, useCode } from './use-code';
import { useFields } from './use-fields';
import css from './session.module.css';

const icon = { size: 17, strokeWidth: 1.6 };

export function Component() {
  const { t } = useTranslation();
  usePage(t('session.forgot'));
  const { data, error } = useChannels();
  const open: Contact[] = data ? (['email', 'phone'] as const).filter((contact) => data[contact]) : [];
  if (error) return <Empty title={<h1>{t('session.forgot')}</h1>}>{messageOf(error)}</Empty>;
  if (!data) return null;
  if (open.length > 0) return <Forget contacts={open} />;
  return (
    <Empty
      title={<h1>{t('session.forgot')}</h1>}
      actions={
        <ButtonLink kind="primary" to={paths.login}>
          {t('session.logIn')}
        </ButtonLink>
      }
    >
      {t('session.noChannel')}
    </Empty>
  );
}

function Forget({ contacts }: { contacts: Contact[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [contact, setContact] = useState<Contact>(contacts[0] ?? 'email');
  const sender = useCode('reset');
  const fields = useFields({ contact: '', code: '', password: '', repeat: '' }, (values) => ({
    contact: contactProblem(contact, values.contact),
    code: values.code.trim() === '' ? ('code' as const) : null,
    password: newPasswordProblem(values.password),
    repeat: repeatProblem(values.password, values.repeat),
  }));
  const { password, repeat, code } = fields.values;
  const to = fields.values.contact.trim();
  const setting = useMutation({
    mutationFn: () => forgetPassword({ [contact]: to, code: code.trim(), password, repeat }),
    onSuccess: () => {
      notify.success(t('session.passwordChanged'));
      return navigate(paths.login);
    },
  });
  const refused = setting.error instanceof ApiError ? setting.error : undefined;
  const text = (name: keyof typeof fields.values) => {
    const problem = fields.problem(name);
    if (problem) return { error: t(`session.problems.${problem}`) };
    return refused?.param === name ? { error: messageOf(refused) } : {};
  };
  const other = contacts.find((one) => one !== contact);
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (fields.complete(event.currentTarget)) setting.mutate();
      }}
    >
      <FormHead title={t('session.forgot')} question={t('session.remembered')} other={{ pathname: paths.login, name: t('session.logIn') }} error={setting.error && messageOf(setting.error)} />
      <Field {...fields.props('contact')} {...text('contact')} key={contact} type={contact === 'email' ? 'email' : 'tel'} label={t(contact === 'email' ? 'session.email' : 'session.phone')} icon={contact === 'email' ? <Mail {...icon} /> : <Phone {...icon} />} autoComplete={contact === 'email' ? 'email' : 'tel'} />
      {other && (
        <button type="button" className={css.link} onClick={() => setContact(other)}>
          {t(other === 'email' ? 'session.useEmail' : 'session.usePhone')}
        </button>
      )}
      <CodeField {...fields.props('code')} {...text('code')} sender={sender} onSend={() => contactProblem(contact, to) === null && sender.send(contact, to)} />
      <div className={css.pair}>
        <Field {...fields.props('password')} {...text('password')} type="password" label={t('session.newPassword')} hint={t('session.newPasswordHint')} icon={<LockKeyhole {...icon} />} autoComplete="new-password" />
        <Field {...fields.props('repeat')} {...text('repeat')} type="password" label={t('session.repeat')} icon={<LockKeyhole {...icon} />} autoComplete="new-password" />
      </div>
      <Strength password={password} email={contact === 'email' ? to : ''} />
      <Button type="submit" kind="primary" size="large" block busy={setting.isPending}>
        {t('session.setPassword')}
      </Button>
    </form>
  );
}

function contactProblem(contact: Contact, text: string) {
  if (text.trim() === '') return 'contact' as const;
  return contact === 'email' ? emailProblem(text.trim()) : phoneProblem(text.trim());
}
