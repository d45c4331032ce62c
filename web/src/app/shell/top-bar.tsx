// The bar at the top: where the page is, the chain, language and theme, and the ways in for visitors.
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { loginPath } from '@/lib/guard';
import { usePageInfo } from '@/lib/page';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { ButtonLink } from '@/ui/button';
import { Logo } from '@/ui/logo';
import { Part } from '@/ui/part';
import { LanguageButton, ThemeButton } from '@/ui/settings';
import { ChainTicker } from './chain-ticker';
import { MessagesButton } from './messages-button';
import css from './top-bar.module.css';

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** `onSearch` opens the palette, where there is one. */
export function TopBar({ onSearch }: { onSearch?: () => void }) {
  const { t } = useTranslation();
  const { title, trail } = usePageInfo();
  const { token } = useSession();
  const location = useLocation();
  return (
    <header className={css.bar}>
      <Link to={paths.home} className={css.mark} aria-label={t('shell.brandLabel')}>
        <Logo size={22} />
      </Link>
      <nav aria-label={t('shell.path')} className={css.path}>
        <ol>
          {trail.map((above) => (
            <li key={above.to}>
              <Link to={above.to}>{above.title}</Link>
            </li>
          ))}
          <li aria-current="page" className="ellipsis">
            {title}
          </li>
        </ol>
      </nav>
      {onSearch && (
        <button type="button" className={css.search} aria-label={t('shell.search')} aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
          <Search size={16} strokeWidth={1.6} aria-hidden />
          <span>{t('shell.search')}</span>
          <kbd aria-hidden>{mac ? '⌘K' : t('shell.keys.search')}</kbd>
        </button>
      )}
      <Part quiet>
        <ChainTicker />
      </Part>
      <div className={css.tools}>
        <LanguageButton />
        <ThemeButton />
        {token !== null && <MessagesButton />}
      </div>
      {token === null && (
        <div className={css.entrance}>
          <ButtonLink to={loginPath(location)} size="small">
            {t('session.logIn')}
          </ButtonLink>
          <ButtonLink to={paths.register} size="small" kind="primary">
            {t('session.createAccount')}
          </ButtonLink>
        </div>
      )}
    </header>
  );
}
