// What an account is good for, shown to visitors in place of their work.
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { loginPath } from '@/lib/guard';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Card } from '@/ui/parts';
import css from './sign-up.module.css';

const here = { pathname: paths.home, search: '', hash: '' };
const reasons = ['run', 'chart', 'history'] as const;

export function SignUp() {
  const { t } = useTranslation();
  return (
    <Card className={css.signUp}>
      <h2>{t('home.signUp.title')}</h2>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            <Check size={17} strokeWidth={2} />
            {t(`home.signUp.${reason}`)}
          </li>
        ))}
      </ul>
      <div className={css.signUpActions}>
        <ButtonLink to={paths.register} kind="primary">
          {t('session.createAccount')}
        </ButtonLink>
        <ButtonLink to={loginPath(here)}>{t('session.logIn')}</ButtonLink>
      </div>
    </Card>
  );
}
