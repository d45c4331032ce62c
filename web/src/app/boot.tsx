// What stands on the screen until the first page's code is there; index.html begins with the same.
import { useTranslation } from 'react-i18next';
import { Logo } from '@/ui/logo';

/** Milliseconds after the page was asked for at which it says that it loads. */
const silentMs = 1_000;
/** When this was loaded, on the clock that began with the page. */
const loadedAt = performance.now();

export function Boot() {
  const { t } = useTranslation();
  return (
    <div className="boot" role="status">
      <Logo size={40} />
      <p className="boot-text" style={{ animationDelay: `${silentMs - loadedAt}ms` }}>
        {t('common.loading')}
      </p>
    </div>
  );
}
