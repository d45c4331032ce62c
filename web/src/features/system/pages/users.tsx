// The users: filter, let in and out, roles, and everything about one of them.
import { Form, Input, Select, Switch } from 'antd';
import type { TFunction } from 'i18next';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { adminRole, defaultRole, holds, useSession } from '@/lib/session';
import { Button } from '@/ui/button';
import { Tag } from '@/ui/parts';
import { useRoles } from '../api';
import { useAct } from '../kit/act';
import { Actions, Given } from '../kit/cells';
import { useCommon } from '../kit/common';
import { FormDialog } from '../kit/form-dialog';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { shippedNote } from '../parts/shipped-notes';
import { UserDrawer } from '../parts/user-drawer';
import css from '../kit/kit.module.css';

type Person = Schemas['Person'];
const source = listOf('/api/system/user/list', '/api/system/platform-user/export');
/** The file of the server belongs to another area. */
const written = listOf('/api/system/user/list');

export function Component() {
  const { t } = useTranslation();
  const { account } = useSession();
  const me = account?.id;
  const roles = useRoles().data ?? [];
  const [adding, setAdding] = useState(false);
  const [shown, setShown] = useState<Person>();
  const [changed, setChanged] = useState<Person>();
  const act = useAct();
  const { user, text, choice, days, person, moment, plain, actions } = useCommon<RowOf<typeof source>>();

  const enable = (row: Person, enabled: boolean) =>
    act({
      run: () => call('put', '/api/system/user/updateUserDisabled/{id}', { path: { id: row.userId }, query: { disabled: !enabled } }),
      done: t(enabled ? 'system.users.enabled' : 'system.users.disabled', { name: row.userName }),
      ...(enabled ? {} : { confirm: { title: t('system.users.disableTitle', { name: row.userName }), text: t('system.users.disableText'), ok: t('system.users.disable') } }),
    });

  return (
    <>
      <ListPage
        page="user"
        source={holds(account, 'system.platformUser') ? source : written}
        rowKey={(row) => row.userId}
        actions={
          <Button kind="primary" icon={<UserPlus size={17} strokeWidth={1.6} />} onClick={() => setAdding(true)}>
            {t('system.users.add')}
          </Button>
        }
        filters={[
          user(),
          text('email', t('system.users.email')),
          choice('role', t('system.kit.role'), roles.map((role) => [role.name, role.name])),
          choice('secondFactor', t('system.users.second'), [['true', t('system.users.secondOn')], ['false', t('system.users.secondOff')]]),
          choice('disabled', t('system.kit.state'), [['false', t('system.users.stateEnabled')], ['true', t('system.users.stateDisabled')]]),
          days(t('system.users.since')),
        ]}
        columns={[
          person((row) => row.userName),
          plain('email', t('system.users.email'), (row) => row.email ?? '', { cell: (row) => <Given text={row.email} />, cut: true }),
          plain('phone', t('system.users.phone'), (row) => row.phone ?? '', { cell: (row) => <Given text={row.phone} /> }),
          plain('role', t('system.kit.role'), (row) => row.role, { cell: (row) => <Tag tone={row.role === adminRole ? 'accent' : 'plain'}>{row.role}</Tag> }),
          plain('career', t('system.users.career'), (row) => row.career, { cell: (row) => <Given text={row.career} />, cut: true }),
          moment('since', t('system.users.since'), (row) => row.createdAt),
          moment('seen', t('system.online.seen'), (row) => row.lastSeenAt),
          plain('second', t('system.users.second'), (row) => t(row.secondFactor ? 'system.users.secondOn' : 'system.users.secondOff'), { cell: (row) => (row.secondFactor ? <Tag tone="ok">{t('system.users.secondOn')}</Tag> : <span className={css.soft}>{t('system.users.secondOff')}</span>) }),
          plain('enabled', t('system.users.stateEnabled'), (row) => t(row.disabled ? 'system.users.stateDisabled' : 'system.users.stateEnabled'), {
            cell: (row) => (
              <Switch size="small" checked={!row.disabled} disabled={String(row.userId) === me} aria-label={t('system.users.enabledOf', { name: row.userName })} onChange={(enabled) => enable(row, enabled)} />
            ),
          }),
          actions((row) => (
            <Actions>
              <Button size="small" kind="text" onClick={() => setShown(row)}>
                {t('system.kit.details')}
              </Button>
              <Button size="small" kind="text" onClick={() => setChanged(row)}>
                {t('system.kit.role')}
              </Button>
            </Actions>
          )),
        ]}
      />
      {adding && <AddUser roles={roles} onClose={() => setAdding(false)} />}
      {shown && <UserDrawer id={shown.userId} name={shown.userName} onClose={() => setShown(undefined)} />}
      {changed && (
        <FormDialog<{ role: string }>
          title={t('system.users.roleOf', { name: changed.userName })}
          ok={t('system.kit.save')}
          done={t('system.kit.saved')}
          initial={{ role: changed.role }}
          onClose={() => setChanged(undefined)}
          onSubmit={(values) => call('put', '/api/system/user/role/{id}', { path: { id: changed.userId }, body: values, quiet: true })}
        >
          <Form.Item name="role" label={t('system.kit.role')} extra={t('system.users.roleHint')}>
            <Select options={choices(t, roles)} />
          </Form.Item>
        </FormDialog>
      )}
    </>
  );
}

const choices = (t: TFunction, roles: readonly Schemas['Role'][]) => roles.map((role) => ({ value: role.name, label: role.note ? `${role.name} · ${shippedNote(t, role.note)}` : role.name }));

function AddUser({ roles, onClose }: { roles: readonly Schemas['Role'][]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormDialog<Schemas['NewPerson']>
      title={t('system.users.add')}
      ok={t('system.users.add')}
      done={t('system.users.added')}
      initial={{ role: defaultRole }}
      onClose={onClose}
      onSubmit={(body) => call('post', '/api/system/user/create', { body, quiet: true })}
    >
      <Form.Item name="userName" label={t('system.kit.userName')} extra={t('system.users.nameHint')} rules={[{ required: true, message: t('session.problems.userNameMissing') }, { pattern: /^[a-z0-9_]*$/, message: t('session.problems.userName') }]}>
        <Input maxLength={16} autoComplete="off" />
      </Form.Item>
      <Form.Item name="password" label={t('system.users.password')} extra={t('system.users.passwordHint')} rules={[{ required: true, min: 6, max: 20, message: t('session.problems.password') }]}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="email" label={t('system.users.email')} rules={[{ type: 'email', message: t('session.problems.email') }]}>
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item name="role" label={t('system.kit.role')}>
        <Select options={choices(t, roles)} />
      </Form.Item>
    </FormDialog>
  );
}
