// The page for addresses that lead nowhere.
import { useTranslation } from 'react-i18next';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/parts';
import css from './app.module.css';

export function Component() {
  const { t } = useTranslation();
  usePage(t('shell.notFoundTitle'));
  return (
    <div className={css.fullPage}>
      <Empty
        icon={<span className={css.code}>404</span>}
        title={<h1>{t('shell.notFoundTitle')}</h1>}
        actions={
          <>
            <ButtonLink to={paths.home} kind="primary">
              {t('shell.goHome')}
            </ButtonLink>
            <ButtonLink to={paths.query}>{t('shell.create.query')}</ButtonLink>
          </>
        }
      >
        {t('shell.notFound')}
      </Empty>
    </div>
  );
}
