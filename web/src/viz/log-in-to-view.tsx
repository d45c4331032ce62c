/** In place of a chart of which a reader without a login sees nothing: none of its rows is known to be old enough. */
import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loginPath } from '@/lib/guard';
import { ButtonLink } from '@/ui/button';
import css from './viz.module.css';

/** `leads` to the login, where nothing else on the page does. */
export function LogInToView({ leads = false }: { leads?: boolean }) {
  const { t } = useTranslation();
  const location = useLocation();
  return (
    <div className={css.problem}>
      <Lock size={20} strokeWidth={1.6} aria-hidden />
      <p>{t('viz.logInToView')}</p>
      {leads ? (
        <ButtonLink size="small" to={loginPath(location)}>
          {t('session.logIn')}
        </ButtonLink>
      ) : null}
    </div>
  );
}
