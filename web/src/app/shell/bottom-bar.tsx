// The menu of small screens: thumbs reach it, and it holds what the sidebar and the top bar can't show there.
import { Bell, Keyboard, Languages, LogIn, Menu as MenuIcon, MessageSquarePlus, Moon, Plus, Search, Sun, UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { useLanguage } from '@/i18n';
import { openChatList, openFeedback } from '@/live/chats';
import { loginPath } from '@/lib/guard';
import { paths } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { toggleTheme, useTheme } from '@/lib/theme';
import { Menu, type MenuItem } from '@/ui/menu';
import { changeLanguage } from '@/ui/settings';
import { creates, nav } from './nav';
import { useAccountItems } from './use-account-items';
import css from './bottom-bar.module.css';

interface BottomBarProps {
  onHelp: () => void;
  onSearch: () => void;
}

export function BottomBar({ onHelp, onSearch }: BottomBarProps) {
  const { t } = useTranslation();
  const entries = nav
    .filter((entry) => entry.thumb)
    .map(({ to, name, icon: Icon }) => (
      <NavLink key={to} to={to} className={css.entry}>
        <Icon size={20} strokeWidth={1.6} />
        {t(`shell.nav.${name}`)}
      </NavLink>
    ));
  const middle = Math.ceil(entries.length / 2);
  const [create] = creates;
  return (
    <nav className={css.bar} aria-label={t('shell.bottomMenu')}>
      {entries.slice(0, middle)}
      <NavLink to={create.to} className={css.new} aria-label={t(`shell.create.${create.name}`)}>
        <Plus size={20} strokeWidth={1.8} />
      </NavLink>
      {entries.slice(middle)}
      <More onHelp={onHelp} onSearch={onSearch} />
    </nav>
  );
}

function More({ onHelp, onSearch }: BottomBarProps) {
  const { t } = useTranslation();
  const { token } = useSession();
  const language = useLanguage();
  const theme = useTheme();
  const accountItems = useAccountItems();
  const navigate = useNavigate();
  const location = useLocation();
  const icon = { size: 17, strokeWidth: 1.6 };
  const pages: MenuItem[] = nav
    .filter((entry) => !entry.thumb)
    .map(({ to, name, icon: Icon }) => ({ key: to, label: t(`shell.nav.${name}`), icon: <Icon {...icon} />, onSelect: () => void navigate(to) }));
  const more: MenuItem[] = creates.slice(1).map(({ to, name }) => ({ key: to, label: t(`shell.create.${name}`), icon: <Plus {...icon} />, onSelect: () => void navigate(to) }));
  const settings: MenuItem[] = [
    { key: 'language', label: t('shell.switchLanguage'), icon: <Languages {...icon} />, apart: true, onSelect: () => changeLanguage(language === 'en' ? 'zh' : 'en') },
    {
      key: 'theme',
      label: t(theme === 'dark' ? 'shell.lightTheme' : 'shell.darkTheme'),
      icon: theme === 'dark' ? <Sun {...icon} /> : <Moon {...icon} />,
      onSelect: toggleTheme,
    },
    { key: 'search', label: t('shell.search'), icon: <Search {...icon} />, onSelect: onSearch },
    { key: 'help', label: t('shell.shortcuts'), icon: <Keyboard {...icon} />, onSelect: onHelp },
  ];
  const account: MenuItem[] =
    token === null
      ? [
          { key: 'login', label: t('session.logIn'), icon: <LogIn {...icon} />, apart: true, onSelect: () => void navigate(loginPath(location)) },
          { key: 'register', label: t('session.createAccount'), icon: <UserPlus {...icon} />, onSelect: () => void navigate(paths.register) },
        ]
      : [
          { key: 'messages', label: t('shell.messages'), icon: <Bell {...icon} />, apart: true, onSelect: openChatList },
          { key: 'feedback', label: t('shell.feedback'), icon: <MessageSquarePlus {...icon} />, onSelect: openFeedback },
          ...accountItems.map((item, at) => (at === 0 ? { ...item, apart: true } : item)),
        ];
  return (
    <Menu label={t('shell.more')} className={css.entry} side="above" items={[...pages, ...more, ...settings, ...account]}>
      <MenuIcon size={20} strokeWidth={1.6} />
      {t('shell.more')}
    </Menu>
  );
}
