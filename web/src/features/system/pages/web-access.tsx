// How much the web pages are used: visitors, pages, durations.
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeTexts } from '@/i18n/time';
import { call } from '@/api/call';
import { count } from '@/lib/format';
import { useNow } from '@/lib/now';
import { None, Person } from '../kit/cells';
import { ChartCard } from '../kit/chart-card';
import { useCommon } from '../kit/common';
import { dayName, lastDays, perDay } from '../kit/days';
import { failedOf, FiguresFailed } from '../kit/figures-failed';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { Stats } from '../kit/stats';
import { useView, ViewPicker } from '../kit/view';
import css from '../kit/kit.module.css';

const pages = listOf('/api/system/web-access/pages');
const visits = listOf('/api/system/web-access/list');
const shownDays = 30;
const hourMs = 3_600_000;

export function Component() {
  const { t } = useTranslation();
  const [view, setView] = useView(['pages', 'visits']);
  const above = (
    <>
      <Figures />
      <ViewPicker
        label={t('system.pages.webAccess')}
        view={view}
        onView={setView}
        options={[
          { value: 'pages', label: t('system.access.pages') },
          { value: 'visits', label: t('system.access.visits') },
        ]}
      />
    </>
  );
  return view === 'pages' ? <Pages above={above} /> : <Visits above={above} />;
}

/** A stay, or that none was measured: it is known only once the visitor goes on to another page. */
function Stay({ ms }: { ms: number }) {
  const { elapsed } = useTimeTexts();
  return ms === 0 ? <None /> : <>{elapsed(ms)}</>;
}

function Pages({ above }: { above: ReactNode }) {
  const { t } = useTranslation();
  const { text, plain, number } = useCommon<RowOf<typeof pages>>();
  return (
    <ListPage
      page="webAccess"
      source={pages}
      above={above}
      rowKey={(row) => row.url}
      filters={[text('url', t('system.access.url'))]}
      columns={[
        plain('url', t('system.access.url'), (row) => row.url, { main: true, cut: true }),
        number('views', t('system.access.views'), (row) => row.views),
        number('visitors', t('system.access.visitors'), (row) => row.visitors),
        { ...number('mean', t('system.access.mean'), (row) => row.meanBrowseMs, (row) => <Stay ms={row.meanBrowseMs} />), unit: 'ms' },
      ]}
    />
  );
}

function Visits({ above }: { above: ReactNode }) {
  const { t } = useTranslation();
  const { user, text, days, moment, plain, number } = useCommon<RowOf<typeof visits>>();
  return (
    <ListPage
      page="webAccess"
      source={visits}
      above={above}
      rowKey={(row) => row.id}
      filters={[user(), text('url', t('system.access.url')), days()]}
      columns={[
        moment('time', t('system.kit.time'), (row) => row.at),
        plain('url', t('system.access.url'), (row) => row.currentUrl, { main: true, cut: true }),
        plain('title', t('system.access.title'), (row) => row.currentTitle, { cut: true }),
        plain('previous', t('system.access.previous'), (row) => row.previousUrl, { cut: true, cell: (row) => row.previousUrl || <None /> }),
        { ...number('browsed', t('system.access.browsed'), (row) => row.browsedMs, (row) => <Stay ms={row.browsedMs} />), unit: 'ms' },
        plain('user', t('system.kit.user'), (row) => row.userName, { cell: (row) => (row.userName === '' ? <span className={css.soft}>{t('system.access.visitor')}</span> : <Person name={row.userName} />) }),
      ]}
    />
  );
}

function Figures() {
  const { t } = useTranslation();
  const now = useNow(hourMs);
  const asked = useQuery({ queryKey: ['system', 'web access'], queryFn: ({ signal }) => call('get', '/api/system/web-access/summary', { query: {}, signal, quiet: true }) });
  const access = asked.data;
  const data = useMemo(() => {
    if (!access) return undefined;
    const days = lastDays(now, shownDays);
    return {
      steps: days.map(dayName),
      series: [
        { name: t('system.access.visitors'), values: perDay(days, access.days, (row) => row.visitors) },
        { name: t('system.access.views'), values: perDay(days, access.days, (row) => row.views) },
      ],
    };
  }, [access, now, t]);
  const shown = (value: number | undefined) => (value === undefined ? undefined : count(value));
  const failed = failedOf(asked);
  if (failed.length > 0) return <FiguresFailed failed={failed} />;
  return (
    <>
      <Stats
        label={t('system.pages.webAccess')}
        stats={[
          { label: t('system.access.views'), value: shown(access?.summary.views) },
          { label: t('system.access.visitors'), value: shown(access?.summary.visitors) },
          { label: t('system.access.users'), value: shown(access?.summary.users) },
          { label: t('system.access.mean'), value: access && <Stay ms={access.summary.meanBrowseMs} /> },
          { label: t('system.access.clicks'), value: shown(access?.summary.clicks) },
        ]}
      />
      <div className={css.charts}>
        <ChartCard kind="line" title={t('system.access.chart')} note={t('system.kit.perDay')} stepName={t('system.kit.day')} data={data} />
      </div>
    </>
  );
}
