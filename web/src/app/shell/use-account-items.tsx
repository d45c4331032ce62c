// What the account menu offers: the person's pages, and the way out.
import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { mayManage, useSession } from '@/lib/session';
import type { MenuItem } from '@/ui/menu';
import { accountEntries } from './nav';
import { useSignOut } from './use-sign-out';

const icon = { size: 16, strokeWidth: 1.6 };

export function useAccountItems(): MenuItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const admin = mayManage(useSession().account);
  const pages = accountEntries.filter((entry) => admin || !entry.admin);
  return [
    ...pages.map(({ to, name, icon: Icon }) => ({ key: to, label: t(`shell.account.${name}`), icon: <Icon {...icon} />, onSelect: () => void navigate(to) })),
    { key: 'exit', label: t('shell.exit'), icon: <LogOut {...icon} />, apart: true, onSelect: signOut },
  ];
}
