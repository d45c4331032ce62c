// The menu at the left: open with names, or closed as a rail of pictures.
import { ChevronDown, PanelLeftClose, PanelLeftOpen, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useNavigate } from 'react-router';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { ButtonLink, IconButton } from '@/ui/button';
import { Logo } from '@/ui/logo';
import { Menu } from '@/ui/menu';
import { AccountMenu } from './account-menu';
import { creates, navGroups, type NavEntry } from './nav';
import type { SidebarState } from './sidebar-state';
import { useRunningJobs } from './use-running-jobs';
import css from './sidebar.module.css';

export function Sidebar({ state }: { state: SidebarState }) {
  const { t } = useTranslation();
  const { token } = useSession();
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
      <NewButton />
      <nav aria-label={t('shell.menu')} className={css.nav}>
        {navGroups.map((group) => (
          <ul key={group.name ?? ''} aria-label={group.name && t(`shell.groups.${group.name}`)}>
            {group.name && (
              <li className={css.group} aria-hidden>
                {t(`shell.groups.${group.name}`)}
              </li>
            )}
            {group.entries.map((entry) => (
              <li key={entry.to}>
                <Entry entry={entry} named={state.open} />
              </li>
            ))}
          </ul>
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

const icon = { size: 18, strokeWidth: 1.6 };

/** Makes the first thing of the list; the others are in its menu. */
function NewButton() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [first, ...others] = creates;
  return (
    <div className={css.new}>
      <ButtonLink to={first.to} kind="primary" block icon={<Plus {...icon} />}>
        <span className={css.name}>{t(`shell.create.${first.name}`)}</span>
      </ButtonLink>
      {others.length > 0 && (
        <Menu label={t('shell.createMenu')} className={css.newMore} items={others.map(({ to, name }) => ({ key: to, label: t(`shell.create.${name}`), onSelect: () => void navigate(to) }))}>
          <ChevronDown size={16} strokeWidth={1.8} aria-hidden />
        </Menu>
      )}
    </div>
  );
}

function Entry({ entry: { to, name, icon: Icon }, named }: { entry: NavEntry; named: boolean }) {
  const { t } = useTranslation();
  return (
    <NavLink to={to} className={css.entry} title={named ? undefined : t(`shell.nav.${name}`)}>
      <Icon {...icon} />
      <span className={css.name}>{t(`shell.nav.${name}`)}</span>
      {to === paths.jobs && <RunningCount />}
    </NavLink>
  );
}

function RunningCount() {
  const { t } = useTranslation();
  const running = useRunningJobs();
  if (running === 0) return null;
  return (
    <span className={css.count} aria-label={t('shell.runningJobs', { count: running })}>
      {running}
    </span>
  );
}
