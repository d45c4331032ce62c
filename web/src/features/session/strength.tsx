// How easily the password that a person types is guessed, as the server judges it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { judgePassword } from '@/api/account';
import { useRegistrationRules } from '@/api/registration';
import css from './strength.module.css';

/** Milliseconds without a key before the server is asked. */
const pause = 300;
const shortest = 6;

interface StrengthProps {
  password: string;
  userName?: string;
  email?: string;
}

export function Strength({ password, userName = '', email = '' }: StrengthProps) {
  const { t } = useTranslation();
  const rules = useRegistrationRules();
  const typed = useSettled(JSON.stringify([password, userName, email]));
  const { data } = useQuery({
    queryKey: ['password strength', typed],
    queryFn: ({ signal }) => {
      const [of = '', name = '', mail = ''] = JSON.parse(typed) as string[];
      return judgePassword({ password: of, userName: name, email: mail }, signal);
    },
    enabled: (JSON.parse(typed) as string[])[0]?.length !== 0,
    // A password stays in no cache.
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const judged = Array.from(password).length >= shortest ? data : undefined;
  const score = judged ? t(`session.strength.score.${judged.score as 0 | 1 | 2 | 3 | 4}`) : '';
  const said = judged?.reason ? t('session.strength.because', { score, reason: t(`session.strength.reason.${judged.reason}`) }) : score;
  return (
    <div className={css.strength} data-score={judged?.score} data-empty={judged === undefined}>
      <span className={css.bars} aria-hidden>
        {[1, 2, 3, 4].map((bar) => (
          <i key={bar} data-on={judged !== undefined && Math.max(judged.score, 1) >= bar} />
        ))}
      </span>
      <p role="status" aria-label={t('session.strength.label')}>
        {said} {judged?.weak && rules.data?.refuseWeakPasswords ? t('session.strength.refused') : ''}
      </p>
    </div>
  );
}

/** The text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
