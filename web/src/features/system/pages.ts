// The pages of the back office in the order of its menu, and the permission that opens each.
import { paths } from '@/lib/paths';

export const { system } = paths;

interface Entry {
  id: string;
  path: string;
  permission: string;
}

/** The addresses are the specification's, its spelling included; invitations, the cluster and the audit log are ours. */
export const groups = [
  {
    id: 'access',
    pages: [
      { id: 'user', path: 'user', permission: 'system.user' },
      { id: 'invitation', path: 'invitation', permission: 'system.user' },
      { id: 'role', path: 'role', permission: 'system.role' },
      { id: 'permission', path: 'permission', permission: 'system.permission' },
    ],
  },
  {
    id: 'operations',
    pages: [
      { id: 'dataLink', path: 'dataLink', permission: 'system.dataLink' },
      { id: 'cluster', path: 'cluster', permission: 'system.cluster' },
      { id: 'jobList', path: 'jobList', permission: 'system.job' },
      { id: 'fileManage', path: 'file-manage', permission: 'system.file' },
      { id: 'webAccess', path: 'web-access', permission: 'system.webAccess' },
    ],
  },
  {
    id: 'platform',
    pages: [
      { id: 'platformUser', path: 'plantform-manage/user', permission: 'system.platformUser' },
      { id: 'revenue', path: 'plantform-manage/revenue', permission: 'system.revenue' },
      { id: 'score', path: 'score', permission: 'system.score' },
      { id: 'feedback', path: 'feedback', permission: 'system.feedback' },
    ],
  },
  {
    id: 'behavior',
    pages: [
      { id: 'logins', path: 'user-behavior/login-and-logout', permission: 'system.loginRecord' },
      { id: 'online', path: 'user-behavior/online-users', permission: 'system.onlineUser' },
      { id: 'operations', path: 'user-behavior/user-dashboard-operate', permission: 'system.dashboardRecord' },
      { id: 'audit', path: 'audit', permission: 'system.audit' },
    ],
  },
  {
    id: 'messages',
    pages: [
      { id: 'mail', path: 'message-record/mail', permission: 'system.messageRecord' },
      { id: 'message', path: 'message-record/message', permission: 'system.messageRecord' },
    ],
  },
  {
    id: 'content',
    pages: [
      { id: 'reflect', path: 'dapp/reflect', permission: 'system.dapp' },
      { id: 'dapp', path: 'dapp/info', permission: 'system.dapp' },
      { id: 'whitePaper', path: 'white-paper', permission: 'system.whitePaper' },
    ],
  },
] as const satisfies readonly { id: string; pages: readonly Entry[] }[];

export type SystemGroup = (typeof groups)[number];
export type SystemPage = SystemGroup['pages'][number];
export type SystemPageId = SystemPage['id'];

export const systemPages: readonly SystemPage[] = groups.flatMap((group): readonly SystemPage[] => group.pages);

export const systemPath = (page: SystemPage): string => `${system}/${page.path}`;

/** The pages that these permissions open; the server gives administrators all of them. */
export function openTo(permissions: readonly string[]): readonly SystemPage[] {
  return systemPages.filter((page) => permissions.includes(page.permission));
}

/** The page at an address of the back office. */
export function pageAt(path: string): SystemPage | undefined {
  return systemPages.find((page) => systemPath(page) === path.replace(/\/+$/, ''));
}
