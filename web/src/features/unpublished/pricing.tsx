// The prices, of which nothing is published.
import { useTranslation } from 'react-i18next';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Notice } from './notice';

export function Component() {
  const { t } = useTranslation();
  return (
    <Notice
      title={t('shell.nav.pricing')}
      text={t('unpublished.pricing')}
      actions={
        <>
          <ButtonLink to={paths.official} kind="primary">
            {t('shell.nav.official')}
          </ButtonLink>
          <ButtonLink to={paths.limits}>{t('unpublished.limits')}</ButtonLink>
        </>
      }
    />
  );
}
