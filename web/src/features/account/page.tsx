// Personal info: picture, profile, security, API keys, credits, language and display.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { messageOf } from '@/api/error';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Card, Failed } from '@/ui/parts';
import { useProfile } from './api';
import { ApiKeys } from './parts/api-keys';
import { Credits } from './parts/credits';
import { Display } from './parts/display';
import { InfoForm } from './parts/info-form';
import { SecondFactor } from './parts/second-factor';
import { Sessions } from './parts/sessions';
import { Strip } from './parts/strip';
import css from './account.module.css';
import security from './security.module.css';

export function Component() {
  const { t } = useTranslation();
  usePage(t('account.title'));
  const { data, error, refetch } = useProfile();
  useAnchor();
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  return (
    <div className={css.page}>
      <h1 className="visually-hidden">{t('account.title')}</h1>
      <Strip profile={data} />
      <div className={css.columns}>
        <div className={css.column}>
          <InfoForm profile={data} />
          <section id="security" className={`${css.anchor ?? ''} ${security.security ?? ''}`} aria-labelledby="security-title">
            <h2 id="security-title" className="visually-hidden">
              {t('account.security.title')}
            </h2>
            <Card title={t('account.password.title')}>
              <div className={css.row}>
                <p>{t('account.password.text')}</p>
                <ButtonLink to={paths.reset}>{t('account.password.change')}</ButtonLink>
              </div>
            </Card>
            <SecondFactor />
            <Sessions />
          </section>
          <Credits />
        </div>
        <div className={css.column}>
          <ApiKeys />
          <Display />
        </div>
      </div>
    </div>
  );
}

/** A link to a part of the page shows that part. */
function useAnchor() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'start' });
  }, [hash]);
}
