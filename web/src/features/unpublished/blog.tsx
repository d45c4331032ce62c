// The blog, of which nothing is published.
import { useTranslation } from 'react-i18next';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Notice } from './notice';

export function Component() {
  const { t } = useTranslation();
  return (
    <Notice
      title={t('shell.nav.blog')}
      text={t('unpublished.blog')}
      actions={
        <>
          <ButtonLink to={paths.discover} kind="primary">
            {t('shell.nav.discover')}
          </ButtonLink>
          <ButtonLink to={paths.apiDocs}>{t('unpublished.changes')}</ButtonLink>
        </>
      }
    />
  );
}
