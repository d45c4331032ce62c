// Roles: which there are, who has them, what they open.
import { Checkbox, Form, Input } from 'antd';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { adminRole } from '@/lib/session';
import { Button } from '@/ui/button';
import { Failed, Tag } from '@/ui/parts';
import { useRoles } from '../api';
import { useAct } from '../kit/act';
import { Actions, Given, Moment } from '../kit/cells';
import { DataTable } from '../kit/data-table';
import { FormDialog } from '../kit/form-dialog';
import { PageHead } from '../kit/page-head';
import { areaName, areas } from '../parts/areas';
import { shippedNote } from '../parts/shipped-notes';
import css from '../kit/kit.module.css';

type Role = Schemas['Role'];
interface Values {
  name: string;
  note: string;
  permissions: string[];
}

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const roles = useRoles();
  const [edited, setEdited] = useState<Role | 'new'>();

  const remove = (role: Role) =>
    act({
      run: () => call('delete', '/api/system/role/{name}', { path: { name: role.name } }),
      done: t('system.kit.removed'),
      confirm: { title: t('system.roles.removeTitle', { name: role.name }), ok: t('system.kit.remove') },
    });

  return (
    <>
      <PageHead
        page="role"
        actions={
          <Button kind="primary" icon={<Plus size={17} strokeWidth={1.6} />} onClick={() => setEdited('new')}>
            {t('system.roles.add')}
          </Button>
        }
      />
      <DataTable
        label={t('system.pages.role')}
        waiting={roles.isPending}
        rows={roles.data ?? []}
        rowKey={(role) => role.name}
        columns={[
          { key: 'name', head: t('system.kit.role'), main: true, cell: (role) => <Tag tone={role.name === adminRole ? 'accent' : 'plain'}>{role.name}</Tag> },
          { key: 'note', head: t('system.kit.note'), cut: true, cell: (role) => <Given text={shippedNote(t, role.note)} /> },
          { key: 'users', head: t('system.roles.users'), end: true, text: (role) => count(role.users) },
          { key: 'permissions', head: t('system.roles.permissions'), end: true, text: (role) => (role.name === adminRole ? t('system.roles.all') : count(role.permissions.length)) },
          { key: 'created', head: t('system.kit.utc', { head: t('system.kit.created') }), cell: (role) => <Moment ms={role.createdAt} /> },
          {
            key: 'actions',
            head: t('system.kit.actions'),
            end: true,
            cell: (role) => (
              <Actions>
                <Button size="small" kind="text" disabled={role.name === adminRole} onClick={() => setEdited(role)}>
                  {t('system.kit.edit')}
                </Button>
                <Button size="small" kind="text" disabled={role.fixed} onClick={() => remove(role)}>
                  {t('system.kit.remove')}
                </Button>
              </Actions>
            ),
          },
        ]}
      >
        {roles.isError && <Failed message={messageOf(roles.error)} onRetry={() => void roles.refetch()} />}
      </DataTable>
      {edited && <RoleForm role={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function RoleForm({ role, onClose }: { role: Role | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormDialog<Values>
      title={role ? t('system.roles.editTitle', { name: role.name }) : t('system.roles.add')}
      ok={t('system.kit.save')}
      done={t('system.kit.saved')}
      initial={{ name: role?.name ?? '', note: role?.note ?? '', permissions: role?.permissions ?? [] }}
      onClose={onClose}
      onSubmit={(body) => (role ? call('put', '/api/system/role/update', { body, quiet: true }) : call('post', '/api/system/role/create', { body, quiet: true }))}
    >
      <Form.Item name="name" label={t('system.kit.name')} extra={t('system.roles.nameHint')} rules={[{ required: true, message: t('system.kit.required') }, { pattern: /^[\w-]*$/, message: t('system.roles.nameWrong') }]}>
        <Input disabled={role !== undefined} maxLength={30} />
      </Form.Item>
      <Form.Item name="note" label={t('system.kit.note')}>
        <Input maxLength={200} />
      </Form.Item>
      <Form.Item name="permissions" label={t('system.roles.permissions')}>
        <Checkbox.Group className={css.checks ?? ''} options={areas.map((area) => ({ value: area, label: areaName(t, area) }))} />
      </Form.Item>
    </FormDialog>
  );
}
