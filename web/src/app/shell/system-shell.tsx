// The frame around the back office: its own menu in place of the sidebar, and no page without its permission.
import { ArrowLeft, ShieldX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Navigate, NavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { groups, openTo, pageAt, system, systemPath, type SystemPage } from '@/features/system/pages';
import { usePage } from '@/lib/page';
import { paths } from '@/lib/paths';
import { useSession, type Account } from '@/lib/session';
import { AntdProvider } from '@/ui/antd';
import { ButtonLink } from '@/ui/button';
import { Logo } from '@/ui/logo';
import { Part } from '@/ui/part';
import { Empty, Skeleton, Tag } from '@/ui/parts';
import { systemIcons } from './system-icons';
import { TopBar } from './top-bar';
import shell from './shell.module.css';
import sidebar from './sidebar.module.css';
import css from './system-shell.module.css';

export function Component() {
  const { t } = useTranslation();
  const { account } = useSession();
  const open = openTo(account?.permissions ?? []);
  return (
    <div className={shell.shell} data-open="true" data-system>
      <a className={shell.skip} href="#main">
        {t('shell.skip')}
      </a>
      <Menu open={open} />
      <TopBar />
      <main id="main" tabIndex={-1} className={shell.main}>
        <PagePicker open={open} />
        {account === null ? <Waiting /> : <Gate account={account} open={open} />}
      </main>
    </div>
  );
}

function Waiting() {
  return (
    <div className={css.waiting}>
      <Skeleton height="1.6em" width="18%" />
      <Skeleton height="12em" />
    </div>
  );
}

/** The page at this address, for those whose role opens it. */
function Gate({ account, open }: { account: Account; open: readonly SystemPage[] }) {
  const { pathname } = useLocation();
  const page = pageAt(pathname);
  const [first] = open;
  if (!page && first) return <Navigate to={systemPath(first)} replace />;
  if (!page || !open.includes(page)) return <NoPermission account={account} />;
  return (
    <AntdProvider>
      <Part of={[pathname]}>
        <Outlet />
      </Part>
    </AntdProvider>
  );
}

function NoPermission({ account }: { account: Account }) {
  const { t } = useTranslation();
  usePage(t('system.noPermission'));
  return (
    <div className={css.noPermission}>
      <Empty
        icon={<ShieldX size={28} strokeWidth={1.6} />}
        title={<h1>{t('system.noPermission')}</h1>}
        actions={<ButtonLink to={paths.home}>{t('system.backHome')}</ButtonLink>}
      >
        {t('system.noPermissionText', { name: account.name, role: account.role })}
      </Empty>
    </div>
  );
}

function Menu({ open }: { open: readonly SystemPage[] }) {
  const { t } = useTranslation();
  return (
    <aside className={`${sidebar.sidebar ?? ''} ${css.menu ?? ''}`} data-open="true">
      <div className={sidebar.head}>
        <NavLink to={paths.home} className={sidebar.brand} aria-label={t('shell.brandLabel')}>
          <Logo />
          <span>{t('common.appName')}</span>
        </NavLink>
        <Tag tone="warn">{t('system.admin')}</Tag>
      </div>
      <nav aria-label={t('system.manage')} className={css.groups}>
        {groups.map((group) => {
          const pages = group.pages.filter((page) => open.includes(page));
          if (pages.length === 0) return null;
          return (
            <div key={group.id}>
              <h2>{t(`system.groups.${group.id}`)}</h2>
              <div className={sidebar.nav}>
                {pages.map((page) => (
                  <Entry key={page.id} page={page} />
                ))}
              </div>
            </div>
          );
        })}
      </nav>
      <div className={css.back}>
        <ButtonLink to={paths.home} size="small" block icon={<ArrowLeft size={15} strokeWidth={1.6} />}>
          <span className={sidebar.name}>{t('system.back')}</span>
        </ButtonLink>
      </div>
    </aside>
  );
}

function Entry({ page }: { page: SystemPage }) {
  const { t } = useTranslation();
  const Icon = systemIcons[page.id];
  return (
    <NavLink to={systemPath(page)} className={sidebar.entry} title={t(`system.pages.${page.id}`)}>
      <Icon size={17} strokeWidth={1.6} />
      <span className={sidebar.name}>{t(`system.pages.${page.id}`)}</span>
    </NavLink>
  );
}

/** The menu of small screens: the system's own picker reaches twenty pages better than a bar. */
function PagePicker({ open }: { open: readonly SystemPage[] }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const page = pageAt(pathname);
  if (open.length === 0) return null;
  return (
    <div className={css.picker}>
      <ButtonLink to={paths.home} icon={<ArrowLeft size={15} strokeWidth={1.6} />}>
        {t('system.back')}
      </ButtonLink>
      <select aria-label={t('system.manage')} value={page ? systemPath(page) : system} onChange={(event) => void navigate(event.target.value)}>
        {groups.map((group) => (
          <optgroup key={group.id} label={t(`system.groups.${group.id}`)}>
            {group.pages
              .filter((one) => open.includes(one))
              .map((one) => (
                <option key={one.id} value={systemPath(one)}>
                  {t(`system.pages.${one.id}`)}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}
