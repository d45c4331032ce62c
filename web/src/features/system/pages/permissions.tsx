// The matrix: which role holds which permission, changed with one click.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { adminRole } from '@/lib/session';
import { Failed } from '@/ui/parts';
import { rolesKey, useRoles } from '../api';
import { useAct } from '../kit/act';
import { DataTable, type Column } from '../kit/data-table';
import { PageHead } from '../kit/page-head';
import { areaName } from '../parts/areas';
import { withPermission } from '../parts/matrix';
import { InTurn } from '../parts/in-turn';

type Permission = Schemas['Permission'];
type Role = Schemas['Role'];

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const client = useQueryClient();
  const turns = useRef(new InTurn());
  const roles = useRoles();
  const permissions = useQuery({ queryKey: ['system', 'permissions'], queryFn: ({ signal }) => call('get', '/api/system/permission/list', { signal, quiet: true }) });
  const failed = permissions.error ?? roles.error;

  const columns: Column<Permission>[] = [
    { key: 'name', head: t('system.permissions.permission'), main: true, text: ({ permissionKey }) => areaName(t, permissionKey) },
    { key: 'key', head: t('system.permissions.key'), cell: ({ permissionKey }) => <code>{permissionKey}</code> },
    ...(roles.data ?? []).map(
      (role): Column<Permission> => ({
        key: `role ${role.name}`,
        head: role.name,
        cell: ({ permissionKey }) => (
          <Checkbox
            aria-label={t('system.permissions.holds', { role: role.name, permission: areaName(t, permissionKey) })}
            disabled={role.name === adminRole}
            checked={role.name === adminRole || role.permissions.includes(permissionKey)}
            onChange={(event) => {
              const holds = event.target.checked;
              const changed = ({ permissions }: Role) => withPermission(permissions, permissionKey, holds);
              const run = async () => {
                // A list that is on its way lacks this click, and would take it back.
                await client.cancelQueries({ queryKey: rolesKey });
                // A call writes all permissions of the role: the next click has to build on this one, and its call to follow this one's.
                const known = client.setQueryData<Role[]>(rolesKey, (roles) => roles?.map((one) => (one.name === role.name ? { ...one, permissions: changed(one) } : one)));
                const permissions = known?.find(({ name }) => name === role.name)?.permissions ?? changed(role);
                try {
                  await turns.current.next(() => call('put', '/api/system/role/update', { body: { name: role.name, note: role.note, permissions } }));
                } finally {
                  // Asked for before the last click is written, the list would lack it too.
                  await turns.current.idle();
                }
              };
              act({ run, done: t('system.kit.saved') });
            }}
          />
        ),
      }),
    ),
  ];

  return (
    <>
      <PageHead page="permission" note={t('system.permissions.note')} />
      <DataTable label={t('system.pages.permission')} waiting={permissions.isPending || roles.isPending} rows={permissions.data ?? []} rowKey={({ permissionKey }) => permissionKey} columns={columns}>
        {failed && (
          <Failed
            message={messageOf(failed)}
            onRetry={() => {
              void permissions.refetch();
              void roles.refetch();
            }}
          />
        )}
      </DataTable>
    </>
  );
}
