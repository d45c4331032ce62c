// The pages of the back office: one line each.
import type { RouteObject } from 'react-router';
import { system, systemPages, type SystemPageId } from '@/features/system/pages';
import { page } from './load';

const modules: Record<SystemPageId, () => Promise<{ Component: () => React.ReactNode }>> = {
  user: () => import('@/features/system/pages/users'),
  invitation: () => import('@/features/system/pages/invitations'),
  role: () => import('@/features/system/pages/roles'),
  permission: () => import('@/features/system/pages/permissions'),
  dataLink: () => import('@/features/system/pages/data-link'),
  cluster: () => import('@/features/system/pages/cluster'),
  jobList: () => import('@/features/system/pages/job-list'),
  fileManage: () => import('@/features/system/pages/files'),
  webAccess: () => import('@/features/system/pages/web-access'),
  platformUser: () => import('@/features/system/pages/platform-users'),
  revenue: () => import('@/features/system/pages/revenue'),
  score: () => import('@/features/system/pages/score'),
  feedback: () => import('@/features/system/pages/feedback'),
  logins: () => import('@/features/system/pages/logins'),
  online: () => import('@/features/system/pages/online'),
  operations: () => import('@/features/system/pages/operations'),
  audit: () => import('@/features/system/pages/audit'),
  mail: () => import('@/features/system/pages/mails'),
  message: () => import('@/features/system/pages/messages'),
  reflect: () => import('@/features/system/pages/dapp-addresses'),
  dapp: () => import('@/features/system/pages/dapps'),
  whitePaper: () => import('@/features/system/pages/white-papers'),
};

export const systemRoutes: RouteObject = {
  path: system,
  lazy: page(() => import('./shell/system-shell'), 'system'),
  children: [{ index: true, element: null }, ...systemPages.map(({ id, path }) => ({ path, lazy: page(modules[id], 'system') }))],
};
