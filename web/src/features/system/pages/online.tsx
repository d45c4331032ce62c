// Sessions in use, which an administrator can end.
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { adminRole } from '@/lib/session';
import { Button } from '@/ui/button';
import { Tag } from '@/ui/parts';
import { useAct } from '../kit/act';
import { Actions } from '../kit/cells';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';

const source = listOf('/api/interceptor/onlineUser/list');
const refreshMs = 15_000;

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const { user, person, moment, plain, actions } = useCommon<RowOf<typeof source>>();
  return (
    <ListPage
      page="online"
      source={source}
      refreshMs={refreshMs}
      rowKey={(row) => row.sessionId}
      filters={[user()]}
      columns={[
        person((row) => row.userName),
        plain('role', t('system.kit.role'), (row) => row.role, { cell: (row) => <Tag tone={row.role === adminRole ? 'accent' : 'plain'}>{row.role}</Tag> }),
        plain('kind', t('system.online.kind'), (row) => t(`system.online.kinds.${row.kind}`)),
        moment('login', t('system.online.login'), (row) => row.loginTime),
        moment('seen', t('system.online.seen'), (row) => row.lastSeenTime),
        moment('expires', t('system.online.expires'), (row) => row.expireTime),
        plain('address', t('system.kit.address'), (row) => row.address),
        plain('agent', t('system.kit.agent'), (row) => row.agent, { cut: true }),
        actions((row) => (
          <Actions>
            <Button
              size="small"
              kind="danger"
              onClick={() =>
                act({
                  run: () => call('get', '/api/interceptor/onlineUser/delete', { query: { sessionId: row.sessionId } }),
                  done: t('system.online.ended'),
                  confirm: { title: t('system.online.endTitle', { name: row.userName }), text: t('system.online.endText'), ok: t('system.online.end') },
                })
              }
            >
              {t('system.online.end')}
            </Button>
          </Actions>
        )),
      ]}
    />
  );
}
