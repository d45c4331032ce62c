// What visitors are told: how far back they see, and what a login brings.
import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loginPath } from '@/lib/guard';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import css from './official.module.css';

/** `until` is the last day that is shown. */
export function VisitorPrompt({ until }: { until?: string }) {
  const { t } = useTranslation();
  const location = useLocation();
  return (
    <aside className={css.prompt} data-over={until !== undefined} aria-label={t('official.promptTitle')}>
      <Lock size={17} strokeWidth={1.6} aria-hidden />
      <p>
        <strong>{t('official.promptTitle')}</strong>
        <span>{until === undefined ? t('official.prompt') : t('official.promptUntil', { until })}</span>
      </p>
      <ButtonLink size="small" kind="primary" to={loginPath(location)}>
        {t('session.logIn')}
      </ButtonLink>
      <ButtonLink size="small" to={paths.register}>
        {t('official.signUp')}
      </ButtonLink>
    </aside>
  );
}
