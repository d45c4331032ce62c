// The field of a code, with the button that sends one.
import { KeyRound } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import type { CodeSender } from './use-code';
import css from './session.module.css';

interface CodeFieldProps extends Omit<ComponentProps<typeof Field>, 'label'> {
  sender: CodeSender;
  onSend: () => void;
}

export function CodeField({ sender, onSend, error, ...input }: CodeFieldProps) {
  const { t } = useTranslation();
  const problem = error ?? (sender.error ? messageOf(sender.error) : undefined);
  return (
    <div className={css.code}>
      <Field {...input} label={t('session.code')} icon={<KeyRound size={17} strokeWidth={1.6} />} inputMode="numeric" autoComplete="one-time-code" hint={t(sender.sent ? 'session.codeSent' : 'session.codeHint')} {...(problem === undefined ? {} : { error: problem })} />
      <Button size="large" busy={sender.sending} disabled={sender.sending || sender.wait > 0} onClick={onSend}>
        {sender.wait > 0 ? t('session.codeWait', { count: sender.wait }) : t('session.sendCode')}
      </Button>
    </div>
  );
}
