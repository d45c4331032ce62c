// The person who is signed in, and what concerns them.
import { ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { adminRole, defaultRole, useSession } from '@/lib/session';
import { Avatar } from '@/ui/avatar';
import { Menu } from '@/ui/menu';
import { useAccountItems } from './use-account-items';
import css from './sidebar.module.css';

export function AccountMenu({ open }: { open: boolean }) {
  const { t } = useTranslation();
  const { account } = useSession();
  const items = useAccountItems();
  const role = account?.role === defaultRole ? t('shell.member') : account?.role === adminRole ? t('shell.administrator') : account?.role;
  if (account === null) return <span className={css.accountWaiting} aria-hidden />;
  return (
    <Menu
      label={t('shell.accountMenu', { name: account.name })}
      className={css.accountButton}
      side="above"
      align="start"
      head={
        <>
          <div className={css.accountName}>{account.name}</div>
          <div className={css.accountRole}>{role}</div>
        </>
      }
      items={items}
    >
      <Avatar name={account.name} picture={account.avatar} />
      {open && (
        <>
          <span className={css.accountText}>
            <span className={css.accountName}>{account.name}</span>
            <span className={css.accountRole}>{role}</span>
          </span>
          <ChevronsUpDown size={16} strokeWidth={1.6} />
        </>
      )}
    </Menu>
  );
}
