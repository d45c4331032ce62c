import { describe, expect, it } from 'vitest';
import { openTo, pageAt, systemPages, systemPath } from './pages';

describe('pages of the back office', () => {
  it('are those of the specification, at its addresses, the invitations, the cluster and the audit log', () => {
    expect(systemPages.map(systemPath).sort()).toEqual(
      [
        '/system/user',
        '/system/invitation',
        '/system/role',
        '/system/permission',
        '/system/dataLink',
        '/system/cluster',
        '/system/plantform-manage/user',
        '/system/plantform-manage/revenue',
        '/system/user-behavior/login-and-logout',
        '/system/user-behavior/online-users',
        '/system/user-behavior/user-dashboard-operate',
        '/system/message-record/mail',
        '/system/message-record/message',
        '/system/file-manage',
        '/system/jobList',
        '/system/feedback',
        '/system/dapp/reflect',
        '/system/dapp/info',
        '/system/score',
        '/system/white-paper',
        '/system/web-access',
        '/system/audit',
      ].sort(),
    );
  });
  it('open by their own permission only', () => {
    expect(openTo([])).toEqual([]);
    expect(openTo(['system.dapp', 'system.score']).map((page) => page.id)).toEqual(['score', 'reflect', 'dapp']);
    expect(openTo(['system.user']).map((page) => page.id)).toEqual(['user', 'invitation']);
  });
  it('are found by their address', () => {
    expect(pageAt('/system/dapp/info/')?.id).toBe('dapp');
    expect(pageAt('/system/nothing')).toBeUndefined();
  });
});
