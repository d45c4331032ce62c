/** There is no query at this address, or not for this person. */
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loginPath } from '@/lib/guard';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/parts';

export function MissingQuery() {
  const { t } = useTranslation();
  const location = useLocation();
  const visitor = useSession().token === null;
  return (
    <Empty
      title={<h1>{t('editors.missing.title')}</h1>}
      actions={
        <>
          {visitor ? (
            <ButtonLink kind="primary" size="small" to={loginPath(location)}>
              {t('queries.result.logIn')}
            </ButtonLink>
          ) : null}
          <ButtonLink size="small" to={paths.query}>
            {t('queries.title')}
          </ButtonLink>
        </>
      }
    >
      {t(visitor ? 'editors.missing.visitor' : 'editors.missing.text')}
    </Empty>
  );
}
