// The fields of a login that needs a code: that of the second factor, or one sent to the owner while others guess.
import { KeyRound, Smartphone } from 'lucide-react';
import { useEffect, useRef, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { sendLoginCode } from '@/api/account';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { useChannels, useSending } from './use-code';
import css from './session.module.css';

const icon = { size: 17, strokeWidth: 1.6 };
type Input = Omit<ComponentProps<typeof Field>, 'label' | 'ref'>;

export function SecondCodeField(input: Input) {
  const { t } = useTranslation();
  const ref = useRef<HTMLInputElement>(null);
  // It takes the place of the password, which had the focus.
  useEffect(() => ref.current?.focus(), []);
  return <Field {...input} ref={ref} label={t('session.secondCode')} hint={t('session.secondHint')} icon={<Smartphone {...icon} />} autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} />;
}

export function SentCodeField({ userName, error, ...input }: Input & { userName: string }) {
  const { t } = useTranslation();
  const { data: channels } = useChannels();
  const sender = useSending(sendLoginCode);
  if (!channels) return null;
  if (!channels.email && !channels.phone) return <p className={css.note}>{t('session.noSender')}</p>;
  const problem = error ?? (sender.error ? messageOf(sender.error) : undefined);
  return (
    <div className={css.code}>
      <Field {...input} label={t('session.sentCode')} hint={t(sender.sent ? 'session.sentToOwner' : 'session.codeHint')} {...(problem === undefined ? {} : { error: problem })} icon={<KeyRound {...icon} />} inputMode="numeric" autoComplete="one-time-code" />
      <Button size="large" busy={sender.sending} disabled={sender.sending || sender.wait > 0 || userName === ''} onClick={() => sender.send(userName)}>
        {sender.wait > 0 ? t('session.codeWait', { count: sender.wait }) : t('session.sendToOwner')}
      </Button>
    </div>
  );
}
