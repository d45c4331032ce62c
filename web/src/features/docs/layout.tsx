// The frame of the manuals: their own top bar, the list of pages, the page.
import { Menu as MenuIcon, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { paths } from '@/lib/paths';
import { ButtonLink, IconButton } from '@/ui/button';
import { Logo } from '@/ui/logo';
import { Part } from '@/ui/part';
import { LanguageButton, ThemeButton } from '@/ui/settings';
import { firstPage, manuals, placeOf, type Manual } from './nav';
import { Count, MetricLinks } from './parts/metric-links';
import { Search } from './parts/search';
import css from './layout.module.css';

export function Component() {
  const { t } = useTranslation();
  const { pathname, key } = useLocation();
  const place = placeOf(pathname);
  const [openAt, setOpenAt] = useState<string>();
  // The list covers a small screen: it closes when a page was chosen, or a part of the one on show.
  const open = openAt === key;
  const icon = { size: 18, strokeWidth: 1.6 };
  return (
    <div className={css.frame}>
      <a className={css.skip} href="#main">
        {t('shell.skip')}
      </a>
      <header className={css.bar}>
        <div className={css.menuButton}>
          <IconButton
            label={t('docs.pages')}
            aria-expanded={open}
            aria-controls="docs-pages"
            icon={open ? <X {...icon} /> : <MenuIcon {...icon} />}
            onClick={() => setOpenAt(open ? undefined : key)}
          />
        </div>
        <Link to={paths.home} className={css.brand} aria-label={t('shell.brandLabel')}>
          <Logo size={22} />
          <span>{t('common.appName')}</span>
        </Link>
        <nav className={css.manuals} aria-label={t('docs.manuals')}>
          {manuals.map((manual) => (
            <Link key={manual.name} to={firstPage(manual)} aria-current={place?.manual === manual ? 'true' : undefined}>
              {t(`docs.manual.${manual.name}`)}
            </Link>
          ))}
          <Link to={paths.blog}>{t('shell.nav.blog')}</Link>
          <Link to={paths.pricing}>{t('shell.nav.pricing')}</Link>
        </nav>
        <div className={css.tools}>
          <Search withMetrics={place?.manual.name === 'developer-apis'} />
          <LanguageButton />
          <ThemeButton />
          <span className={css.openApp}>
            <ButtonLink to={paths.home} kind="primary" size="small">
              {t('docs.openApp')}
            </ButtonLink>
          </span>
        </div>
      </header>
      {place ? <Pages manual={place.manual} open={open} /> : null}
      <main id="main" tabIndex={-1} className={css.main}>
        <Part of={[pathname]}>
          <Outlet />
        </Part>
      </main>
    </div>
  );
}

function Pages({ manual, open }: { manual: Manual; open: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <nav id="docs-pages" className={css.pages} data-open={open} aria-label={t(`docs.manual.${manual.name}`)}>
      <ul className={css.otherManuals}>
        {manuals.map((one) => (
          <li key={one.name}>
            <Link to={firstPage(one)} aria-current={one === manual ? 'true' : undefined}>
              {t(`docs.manual.${one.name}`)}
            </Link>
          </li>
        ))}
      </ul>
      {manual.groups.map((group) => (
        <div key={group.name} className={css.group}>
          <p>{t(`docs.group.${group.name}`)}</p>
          <ul>
            {group.pages.map((page) => (
              <li key={page.id}>
                <NavLink to={`/${page.id}`} end caseSensitive>
                  {t(`docs.page.${page.name}`)}
                  {page.category ? <Count category={page.category} /> : null}
                </NavLink>
                {page.category && pathname === `/${page.id}` ? <MetricLinks category={page.category} /> : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
