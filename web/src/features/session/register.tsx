// Create an account.
import { useMutation } from '@tanstack/react-query';
import { LockKeyhole, Mail, Phone, Ticket, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { register } from '@/api/account';
import { ApiError, messageOf } from '@/api/error';
import { useRegistrationRules } from '@/api/registration';
import { errorText } from '@/i18n';
import { readInvitation } from '@/lib/invitation';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { signIn } from '@/lib/session';
import { emailProblem, passwordProblem, phoneProblem, repeatProblem, userNameProblem } from '@/lib/validate';
import { Button, ButtonLink } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { Empty } from '@/ui/parts';
import { CodeField } from './code-field';
import { FormHead } from './form-head';
import { Strength } from './strength';
import { useChannels, useCode } from './use-code';
import { useFields } from './use-fields';
import css from './session.module.css';

const icon = { size: 17, strokeWidth: 1.6 };
const empty = { userName: '', password: '', repeat: '', email: '', phone: '', code: '', agree: '', invitation: '' };
type Name = keyof typeof empty;

export function Component() {
  const { t } = useTranslation();
  usePage(t('session.createAccount'));
  const { data: rules, error } = useRegistrationRules();
  const { hash } = useLocation();
  if (error) return <Empty title={<h1>{t('session.createAccount')}</h1>}>{messageOf(error)}</Empty>;
  if (!rules) return null;
  if (rules.registration !== 'closed') return <Register key={hash} invited={rules.registration === 'invitation'} hash={hash} />;
  return (
    <Empty
      title={<h1>{t('session.closedTitle')}</h1>}
      actions={
        <ButtonLink kind="primary" to={paths.login}>
          {t('session.logIn')}
        </ButtonLink>
      }
    >
      {t('errors.registration_closed')}
    </Empty>
  );
}

function Register({ invited, hash }: { invited: boolean; hash: string }) {
  const { t } = useTranslation();
  const { data: channels } = useChannels();
  const sender = useCode('register');
  /** Where the code goes: to the mail address, else to the phone, as far as codes can be sent there. */
  const proves = (values: typeof empty) => (values.email !== '' && channels?.email ? 'email' : values.phone !== '' && channels?.phone ? 'phone' : null);
  const fields = useFields({ ...empty, ...(invited ? readInvitation(hash) : {}) }, (values) => ({
    userName: userNameProblem(values.userName),
    password: passwordProblem(values.password),
    repeat: repeatProblem(values.password, values.repeat),
    email: emailProblem(values.email),
    phone: phoneProblem(values.phone),
    code: proves(values) !== null && values.code.trim() === '' ? ('code' as const) : null,
    agree: values.agree === '' ? ('agree' as const) : null,
    invitation: invited && values.invitation.trim() === '' ? ('invitation' as const) : null,
  }));
  const { userName, password, email, phone, code, agree, invitation } = fields.values;
  const proven = proves(fields.values);
  const registering = useMutation({
    mutationFn: () => register({ userName, password, email: email || undefined, phone: phone || undefined, code: code.trim() || undefined, invitation: invitation.trim() || undefined, agree: agree !== '' }),
    onSuccess: signIn,
  });
  const refused = registering.error instanceof ApiError ? registering.error : undefined;
  const text = (name: Name) => {
    const problem = fields.problem(name);
    if (problem) return t(`session.problems.${problem}`);
    return refused?.param === name ? (errorText(refused.code) ?? refused.detail) : undefined;
  };

  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (fields.complete(event.currentTarget)) registering.mutate();
      }}
    >
      <FormHead
        title={t('session.createAccount')}
        question={t('session.haveAccount')}
        other={{ pathname: paths.login, name: t('session.logIn') }}
        error={registering.error && (refused?.param ? t('session.registrationFailed') : messageOf(registering.error))}
      />
      <Field
        {...fields.props('userName')}
        label={t('session.userName')}
        hint={t('session.userNameHint')}
        error={text('userName')}
        icon={<UserRound {...icon} />}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={16}
      />
      <div className={css.pair}>
        <Field
          {...fields.props('password')}
          type="password"
          label={t('session.password')}
          hint={t('session.passwordHint')}
          error={text('password')}
          icon={<LockKeyhole {...icon} />}
          autoComplete="new-password"
        />
        <Field
          {...fields.props('repeat')}
          type="password"
          label={t('session.repeat')}
          error={text('repeat')}
          icon={<LockKeyhole {...icon} />}
          autoComplete="new-password"
        />
      </div>
      <Strength password={password} userName={userName} email={email} />
      <div className={css.pair}>
        <Field
          {...fields.props('email')}
          type="email"
          label={t('session.email')}
          note={t('session.optional')}
          error={text('email')}
          icon={<Mail {...icon} />}
          autoComplete="email"
        />
        <Field
          {...fields.props('phone')}
          type="tel"
          label={t('session.phone')}
          note={t('session.optional')}
          error={text('phone')}
          icon={<Phone {...icon} />}
          autoComplete="tel"
        />
      </div>
      {proven !== null && (
        <CodeField
          {...fields.props('code')}
          {...(text('code') === undefined ? {} : { error: text('code') })}
          sender={sender}
          onSend={() => {
            if ((proven === 'email' ? emailProblem(email) : phoneProblem(phone)) === null) sender.send(proven, proven === 'email' ? email : phone);
          }}
        />
      )}
      {invited && (
        <Field
          {...fields.props('invitation')}
          label={t('session.invitation')}
          hint={t('session.invitationHint')}
          error={text('invitation')}
          icon={<Ticket {...icon} />}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <Agreement input={fields.props('agree')} error={text('agree')} />
      <Button type="submit" kind="primary" size="large" block busy={registering.isPending}>
        {t('session.createAccount')}
      </Button>
    </form>
  );
}

interface AgreementProps {
  input: ReturnType<ReturnType<typeof useFields<Name, unknown>>['props']>;
  error: string | undefined;
}

/** The rules, to be read and agreed to. */
function Agreement({ input, error }: AgreementProps) {
  const { t } = useTranslation();
  const [reading, setReading] = useState(false);
  const { value, onChange, ...rest } = input;
  return (
    <div>
      <div className={css.agree}>
        <label>
          <input
            {...rest}
            type="checkbox"
            value="yes"
            checked={value !== ''}
            aria-invalid={error !== undefined}
            aria-describedby="agree-error"
            onChange={(event) => {
              event.target.value = event.target.checked ? 'yes' : '';
              onChange(event);
            }}
          />
          {t('session.agree')}
        </label>
        <button type="button" className={css.link} onClick={() => setReading(true)}>
          {t('session.readRules')}
        </button>
      </div>
      <p id="agree-error" className={css.agreeError}>
        {error}
      </p>
      {reading && (
        <Dialog
          title={t('session.rulesTitle')}
          onClose={() => setReading(false)}
          actions={
            <Button kind="primary" onClick={() => setReading(false)}>
              {t('common.close')}
            </Button>
          }
        >
          <ul className={css.rules}>
            {(['open', 'honest', 'fair', 'private'] as const).map((rule) => (
              <li key={rule}>{t(`session.rules.${rule}`)}</li>
            ))}
          </ul>
        </Dialog>
      )}
    </div>
  );
}
