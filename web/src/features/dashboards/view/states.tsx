// A dashboard that is not there yet, or not for this reader.
import { ShieldX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loginPath } from '@/lib/guard';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { ButtonLink } from '@/ui/button';
import { Empty, Skeleton } from '@/ui/parts';
import css from './page.module.css';

/** Nobody can tell a private dashboard from one that does not exist, so both are said. */
export function NoAccess() {
  const { t } = useTranslation();
  const location = useLocation();
  const visitor = useSession().token === null;
  return (
    <Empty
      icon={<ShieldX size={28} strokeWidth={1.4} aria-hidden />}
      title={<h1>{t('dashboards.noAccessTitle')}</h1>}
      actions={
        <>
          {visitor ? (
            <ButtonLink kind="primary" to={loginPath(location)}>
              {t('session.logIn')}
            </ButtonLink>
          ) : null}
          <ButtonLink to={paths.home}>{t('shell.goHome')}</ButtonLink>
        </>
      }
    >
      {t('dashboards.noAccess')}
    </Empty>
  );
}

const heights = ['1.1rem', '1.1rem', '1.1rem', '1.1rem', '3.6rem', '3.6rem', '2.8rem', '2.8rem'];

export function BoardSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={css.page} role="status" aria-label={t('common.loading')}>
      <div className={css.sheet}>
        <Skeleton height="0.5rem" width="40%" />
        <div className={css.skeletons}>
          {heights.map((height, at) => (
            <Skeleton key={at} height={height} />
          ))}
        </div>
      </div>
    </div>
  );
}
