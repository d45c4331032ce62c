// What stands in for everything when the frame around the pages broke.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/button';
import { Empty } from '@/ui/parts';
import css from './app.module.css';

export function PageError() {
  const { t } = useTranslation();
  const error = useRouteError();
  useEffect(() => console.error('The page could not be shown', error), [error]);
  return (
    <main className={css.fullPage}>
      <Empty
        title={t('shell.brokenTitle')}
        actions={
          <>
            <Button kind="primary" onClick={() => location.reload()}>
              {t('shell.reload')}
            </Button>
            {/* A full load: the router's own state may be what broke. */}
            <Button onClick={() => location.assign(paths.home)}>{t('shell.goHome')}</Button>
          </>
        }
      >
        {t('shell.broken')}
      </Empty>
    </main>
  );
}
