// The users of the platform in figures: how many, how many new, who is there now.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { count } from '@/lib/format';
import { useNow } from '@/lib/now';
import { Tag } from '@/ui/parts';
import { Given } from '../kit/cells';
import { ChartCard } from '../kit/chart-card';
import { useCommon } from '../kit/common';
import { dayName, lastDays, perDay } from '../kit/days';
import { failedOf, FiguresFailed } from '../kit/figures-failed';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { Stats } from '../kit/stats';
import css from '../kit/kit.module.css';

const source = listOf('/api/system/platform-user/list', '/api/system/platform-user/export');
const shownDays = 30;
const hourMs = 3_600_000;

export function Component() {
  const { t } = useTranslation();
  const { user, text, choice, days, person, moment, plain } = useCommon<RowOf<typeof source>>();
  return (
    <ListPage
      page="platformUser"
      source={source}
      above={<Figures />}
      rowKey={(row) => row.userId}
      filters={[
        user(),
        text('email', t('system.users.email')),
        text('phone', t('system.users.phone')),
        choice('disabled', t('system.kit.state'), [['false', t('system.users.stateEnabled')], ['true', t('system.users.stateDisabled')]]),
        days(t('system.users.since')),
      ]}
      columns={[
        person((row) => row.userName),
        plain('email', t('system.users.email'), (row) => row.email ?? '', { cell: (row) => <Given text={row.email} />, cut: true }),
        plain('phone', t('system.users.phone'), (row) => row.phone ?? '', { cell: (row) => <Given text={row.phone} /> }),
        plain('career', t('system.users.career'), (row) => row.career, { cell: (row) => <Given text={row.career} />, cut: true }),
        plain('home', t('system.users.home'), (row) => row.address, { cell: (row) => <Given text={row.address} />, cut: true }),
        moment('since', t('system.users.since'), (row) => row.createdAt),
        moment('seen', t('system.online.seen'), (row) => row.lastSeenAt),
        plain('state', t('system.kit.state'), (row) => (row.disabled ? t('system.users.stateDisabled') : t('system.users.stateEnabled')), {
          cell: (row) => <Tag tone={row.disabled ? 'warn' : 'ok'}>{row.disabled ? t('system.users.stateDisabled') : t('system.users.stateEnabled')}</Tag>,
        }),
      ]}
    />
  );
}

function Figures() {
  const { t } = useTranslation();
  const now = useNow(hourMs);
  const askedAll = useQuery({ queryKey: ['system', 'people summary'], queryFn: ({ signal }) => call('get', '/api/system/platform-user/summary', { signal, quiet: true }) });
  const askedDays = useQuery({ queryKey: ['system', 'people days'], queryFn: ({ signal }) => call('get', '/api/system/platform-user/days', { signal, quiet: true }) });
  const summary = askedAll.data;
  const rows = askedDays.data;
  const data = useMemo(() => {
    if (!rows) return undefined;
    const days = lastDays(now, shownDays);
    const steps = days.map(dayName);
    return {
      made: { steps, series: [{ name: t('system.platformUsers.newUsers'), values: perDay(days, rows, (row) => row.newUsers) }] },
      logins: {
        steps,
        series: [
          { name: t('system.platformUsers.users'), values: perDay(days, rows, (row) => row.users) },
          { name: t('system.platformUsers.logins'), values: perDay(days, rows, (row) => row.logins) },
        ],
      },
    };
  }, [rows, now, t]);
  const shown = (value: number | undefined) => (value === undefined ? undefined : count(value));
  const failed = failedOf(askedAll, askedDays);
  if (failed.length > 0) return <FiguresFailed failed={failed} />;
  return (
    <>
      <Stats
        label={t('system.pages.platformUser')}
        stats={[
          { label: t('system.platformUsers.all'), value: shown(summary?.users) },
          { label: t('system.platformUsers.day'), value: shown(summary?.newUsers) },
          { label: t('system.platformUsers.online'), value: shown(summary?.onlineUsers) },
          { label: t('system.platformUsers.disabled'), value: shown(summary?.disabledUsers) },
          { label: t('system.platformUsers.jobs'), value: shown(summary?.jobs) },
        ]}
      />
      <div className={css.charts}>
        <ChartCard kind="bars" title={t('system.platformUsers.newUsers')} note={t('system.kit.perDay')} stepName={t('system.kit.day')} data={data?.made} />
        <ChartCard kind="line" title={t('system.platformUsers.logins')} note={t('system.kit.perDay')} stepName={t('system.kit.day')} data={data?.logins} />
      </div>
    </>
  );
}
