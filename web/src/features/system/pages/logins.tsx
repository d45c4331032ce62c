// Logins and logouts of everybody.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/call';
import { Tag, type Tone } from '@/ui/parts';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';

const source = listOf('/api/interceptor/logInAndOutAll', '/api/interceptor/logInAndOutAll/export');
const actions = ['login', 'logout', 'ended'] as const;
type Action = (typeof actions)[number];
const tones: Record<Action, Tone> = { login: 'ok', logout: 'plain', ended: 'warn' };
const known = (action: string): Action | undefined => actions.find((one) => one === action);

export function Component() {
  const { t } = useTranslation();
  const { user, choice, days, person, moment, plain } = useCommon<RowOf<typeof source>>();
  const name = (row: Schemas['LoginRecord']) => {
    const action = known(row.action);
    return action ? t(`system.logins.${action}`) : row.action;
  };
  return (
    <ListPage
      page="logins"
      source={source}
      rowKey={(row) => row.id}
      filters={[user(), choice('action', t('system.logins.action'), actions.map((action) => [action, t(`system.logins.${action}`)])), days()]}
      columns={[
        person((row) => row.userName),
        plain('action', t('system.logins.action'), name, { cell: (row) => <Tag tone={tones[known(row.action) ?? 'logout']}>{name(row)}</Tag> }),
        moment('time', t('system.kit.time'), (row) => row.actedAt),
        plain('address', t('system.kit.address'), (row) => row.address),
        plain('agent', t('system.kit.agent'), (row) => row.agent, { cut: true }),
      ]}
    />
  );
}
