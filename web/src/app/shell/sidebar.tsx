// The menu at the left: open with names, or closed as a rail of pictures.
import { PanelLeftClose, PanelLeftOpen, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { ButtonLink, IconButton } from '@/ui/button';
import { Logo } from '@/ui/logo';
import { AccountMenu } from './account-menu';
import { nav } from './nav';
import type { SidebarState } from './sidebar-state';
import { useRunningJobs } from './use-running-jobs';
import css from './sidebar.module.css';

export function Sidebar({ state }: { state: SidebarState }) {
  const { t } = useTranslation();
  const { token } = useSession();
  const running = useRunningJobs();
  const icon = { size: 18, strokeWidth: 1.6 };
  return (
    <aside className={css.sidebar} data-open={state.open}>
      <div className={css.head}>
        <Link to={paths.home} className={css.brand} aria-label={t('shell.brandLabel')}>
          <Logo />
          <span>{t('common.appName')}</span>
        </Link>
        <IconButton
          size="small"
          label={t(state.open ? 'shell.closeSidebar' : 'shell.openSidebar')}
          aria-expanded={state.open}
          icon={state.open ? <PanelLeftClose size={17} strokeWidth={1.6} /> : <PanelLeftOpen size={17} strokeWidth={1.6} />}
          onClick={state.toggle}
        />
      </div>
      <div className={css.new}>
        <ButtonLink to={paths.query} kind="primary" block icon={<Plus {...icon} />}>
          <span className={css.name}>{t('shell.newQuery')}</span>
        </ButtonLink>
      </div>
      <nav aria-label={t('shell.menu')} className={css.nav}>
        {nav.map(({ to, name, icon: Icon }) => (
          <NavLink key={to} to={to} className={css.entry} title={state.open ? undefined : t(name)}>
            <Icon {...icon} />
            <span className={css.name}>{t(name)}</span>
            {to === paths.jobs && running > 0 && (
              <span className={css.count} aria-label={t('shell.runningJobs', { count: running })}>
                {running}
              </span>
            )}
          </NavLink>
        ))}
      </nav>
      {token !== null && (
        <div className={css.account}>
          <AccountMenu open={state.open} />
        </div>
      )}
    </aside>
  );
}
