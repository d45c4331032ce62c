// Everything about one user: profile, figures, the second factor, and the sessions in use.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { count } from '@/lib/format';
import { Button } from '@/ui/button';
import { Drawer } from '@/ui/drawer';
import { Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { useAct } from '../kit/act';
import { Given, Moment, Person } from '../kit/cells';
import { DataTable } from '../kit/data-table';
import { allRows, listOf } from '../kit/source';
import { Stats } from '../kit/stats';
import { UserSecondFactor } from './user-second-factor';
import css from '../kit/kit.module.css';

const sessionList = listOf('/api/interceptor/onlineUser/list');

export function UserDrawer({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const profile = useQuery({
    queryKey: ['system', 'profile', name],
    queryFn: ({ signal }) => call('get', '/api/system/user/userName/{name}', { path: { name }, signal, quiet: true }),
  });
  const user = profile.data;
  return (
    <Drawer open title={<Person name={name} />} size={560} onClose={onClose}>
      {profile.isError && <Failed message={messageOf(profile.error)} onRetry={() => void profile.refetch()} />}
      {profile.isPending && <Skeleton height="10em" />}
      {user && (
        <>
          <Stats
            label={name}
            stats={[
              { label: t('system.users.dashboards'), value: count(user.dashboardCount) },
              { label: t('system.users.queries'), value: count(user.queryCount) },
              { label: t('system.users.stars'), value: count(user.starCount) },
              { label: t('system.users.credits'), value: count(user.creditCount) },
            ]}
          />
          <dl className={css.facts}>
            <Fact name={t('system.kit.role')}>{user.role}</Fact>
            <Fact name={t('system.users.since')}>
              <Moment ms={user.creatorSince} />
            </Fact>
            <Fact name={t('system.users.email')}>
              <Given text={user.email} />
            </Fact>
            <Fact name={t('system.users.phone')}>
              <Given text={user.phoneNumber} />
            </Fact>
            <Fact name={t('system.users.career')}>
              <Given text={user.career} />
            </Fact>
            <Fact name={t('system.users.home')}>
              <Given text={user.address} />
            </Fact>
            <Fact name={t('system.users.tags')}>{user.tags?.length ? user.tags.map((tag) => <Tag key={tag}>{tag}</Tag>) : <Given text="" />}</Fact>
            <Fact name={t('system.users.apiKey')}>{user.apiKey ? <code>{user.apiKey}</code> : <Given text="" />}</Fact>
          </dl>
        </>
      )}
      <UserSecondFactor id={id} name={name} />
      <Sessions name={name} />
    </Drawer>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Sessions({ name }: { name: string }) {
  const { t } = useTranslation();
  const act = useAct();
  const sessions = useQuery({
    queryKey: ['system', 'sessions', name],
    // The call finds parts of names: with a short one those of many others.
    queryFn: async () => (await allRows(sessionList, { userName: name })).rows.filter((session) => session.userName === name),
  });
  const rows = sessions.data ?? [];
  return (
    <>
      <h2 className={css.sub}>{t('system.users.sessions')}</h2>
      <DataTable
        label={t('system.users.sessions')}
        waiting={sessions.isPending}
        rows={rows}
        rowKey={(row) => row.sessionId}
        columns={[
          { key: 'seen', head: t('system.online.seen'), main: true, cell: (row) => <Moment ms={row.lastSeenTime} /> },
          { key: 'address', head: t('system.kit.address'), text: (row) => row.address },
          {
            key: 'actions',
            head: t('system.kit.actions'),
            end: true,
            cell: (row) => (
              <Button
                size="small"
                kind="danger"
                onClick={() =>
                  act({
                    run: () => call('get', '/api/interceptor/onlineUser/delete', { query: { sessionId: row.sessionId } }),
                    done: t('system.online.ended'),
                    confirm: { title: t('system.online.endTitle', { name }), text: t('system.online.endText'), ok: t('system.online.end') },
                  })
                }
              >
                {t('system.online.end')}
              </Button>
            ),
          },
        ]}
      >
        {sessions.isError && <Failed message={messageOf(sessions.error)} onRetry={() => void sessions.refetch()} />}
        {sessions.data && rows.length === 0 && <Empty title={t('common.noData')} />}
      </DataTable>
    </>
  );
}
