// Queries that run by themselves: how the last runs went, when the next one is due, run now, rest.
import { useQuery } from '@tanstack/react-query';
import { Switch } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, type Schemas } from '@/api/call';
import { isActive, type JobKind } from '@/api/jobs';
import { useTitles } from '@/i18n/titles';
import { count } from '@/lib/format';
import { encodeId } from '@/lib/ids';
import { useNow } from '@/lib/now';
import { paths } from '@/lib/paths';
import { useJobState } from '@/live/use-job-state';
import { Button } from '@/ui/button';
import { useElapsedText } from '@/ui/elapsed';
import { JobProgress } from '@/ui/job';
import { Tag, type Tone } from '@/ui/parts';
import { useAct } from '../kit/act';
import { Actions, Moment } from '../kit/cells';
import { useCommon } from '../kit/common';
import { failedOf, FiguresFailed } from '../kit/figures-failed';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf } from '../kit/source';
import { Stats } from '../kit/stats';
import { JobDrawer } from './job-drawer';
import { conditionOf, elapsedOf, type Condition } from './schedule-state';
import css from './schedules.module.css';

type Row = Schemas['ScheduleRow'];
const source = listOf('/api/system/schedule/list');
const refreshMs = 5_000;
const conditions = ['running', 'late', 'failed', 'paused'] as const;
const tones: Record<Condition, Tone> = { running: 'accent', late: 'warn', failed: 'bad', paused: 'plain', ok: 'ok', waiting: 'plain' };

export function Schedules({ picker }: { picker: ReactNode }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const act = useAct();
  const now = useNow(refreshMs);
  const elapsedText = useElapsedText();
  const [logged, setLogged] = useState<string>();
  const { user, text, choice, moment, plain, number, actions } = useCommon<RowOf<typeof source>>();
  const asked = useQuery({ queryKey: ['system', 'schedule summary'], queryFn: ({ signal }) => call('get', '/api/system/schedule/summary', { signal, quiet: true }), refetchInterval: refreshMs });
  const summary = asked.data;
  const failed = failedOf(asked);
  const shown = (value: number | undefined) => (value === undefined ? undefined : count(value));
  const label = (condition: (typeof conditions)[number]) => `${t(`system.jobList.conditions.${condition}`)}${summary ? ` ${count(summary[condition])}` : ''}`;
  const strategy = (row: Row) => (row.updateStrategy === 'cron' ? row.cron : t(`system.jobList.strategies.${strategyOf(row.updateStrategy)}`));
  const last = (row: Row) => row.runs.at(-1);

  return (
    <>
      <ListPage
        page="jobList"
        source={source}
        refreshMs={refreshMs}
        rowKey={(row) => row.queryId}
        empty={t('system.jobList.noSchedules')}
        above={
          <>
            {picker}
            <FiguresFailed failed={failed} />
            {failed.length === 0 && <Stats
              label={t('system.jobList.schedules')}
              stats={[
                { label: t('system.jobList.schedules'), value: shown(summary?.schedules) },
                { label: t('system.jobList.running'), value: shown(summary?.running) },
                { label: t('system.jobList.conditions.late'), value: shown(summary?.late), warn: (summary?.late ?? 0) > 0 },
                { label: t('system.jobList.conditions.failed'), value: shown(summary?.failed), warn: (summary?.failed ?? 0) > 0 },
                { label: t('system.jobList.runsOfDay'), value: shown(summary?.runsOfDay) },
              ]}
            />}
          </>
        }
        filters={[
          text('title', t('system.jobList.query')),
          user(),
          { ...choice('state', t('system.kit.state'), conditions.map((condition) => [condition, label(condition)])), all: t('system.jobList.all') },
        ]}
        columns={[
          plain('title', t('system.jobList.query'), titleOf, { main: true, cut: true, cell: (row) => <Link to={`${paths.query}?id=${encodeId(row.queryId)}`}>{titleOf(row)}</Link> }),
          plain('user', t('system.kit.user'), (row) => row.userName),
          plain('kind', t('system.jobList.kind'), (row) => row.kind, { cell: (row) => <Tag>{row.kind}</Tag> }),
          plain('strategy', t('system.jobList.schedule'), strategy, { cell: (row) => (row.updateStrategy === 'cron' ? <code>{row.cron}</code> : strategy(row)) }),
          plain('state', t('system.kit.state'), (row) => t(`system.jobList.conditions.${conditionOf(row, now)}`), {
            cell: (row) => <Tag tone={tones[conditionOf(row, now)]}>{t(`system.jobList.conditions.${conditionOf(row, now)}`)}</Tag>,
          }),
          { key: 'runs', head: t('system.jobList.runs'), cell: (row) => <Runs runs={row.runs} /> },
          { key: 'progress', head: t('jobs.progress'), cell: (row) => <LastProgress row={row} run={last(row)} /> },
          moment('last', t('system.jobList.lastStart'), (row) => last(row)?.startTime),
          moment('finish', t('system.jobList.lastFinish'), (row) => last(row)?.finishTime),
          plain('took', t('jobs.elapsed'), (row) => String(elapsedOf(last(row), now) ?? ''), {
            end: true,
            unit: 'ms',
            cell: (row) => {
              const ms = elapsedOf(last(row), now);
              return ms === null ? null : elapsedText(ms);
            },
          }),
          { ...moment('next', t('system.jobList.next'), (row) => row.nextRunTime), cell: (row) => <Moment ms={row.paused ? null : row.nextRunTime} missing={t('system.jobList.conditions.paused')} /> },
          number('day', t('system.jobList.runsOfDay'), (row) => row.runsOfDay),
          plain('on', t('system.score.on'), (row) => String(!row.paused), {
            cell: (row) => (
              <Switch
                size="small"
                checked={!row.paused}
                aria-label={t('system.jobList.onOf', { title: titleOf(row) })}
                onChange={(on) => act({ run: () => call('put', '/api/system/schedule/pause', { body: { id: row.queryId, paused: !on } }), done: t(on ? 'system.jobList.goesOn' : 'system.jobList.paused') })}
              />
            ),
          }),
          actions((row) => (
            <Actions>
              <Button size="small" kind="text" disabled={row.activeJobs > 0} onClick={() => act({ run: () => call('post', '/api/system/schedule/run', { body: { id: row.queryId } }), done: t('system.jobList.started') })}>
                {t('system.jobList.runNow')}
              </Button>
              <Button size="small" kind="text" disabled={row.runs.length === 0} onClick={() => setLogged(last(row)?.jobId)}>
                {t('jobs.log')}
              </Button>
            </Actions>
          )),
        ]}
      />
      {logged !== undefined && <JobDrawer jobId={logged} onClose={() => setLogged(undefined)} />}
    </>
  );
}

/** How far the newest run is: a running one as it is this moment. */
function LastProgress({ row, run }: { row: Row; run: Row['runs'][number] | undefined }) {
  const { job } = useJobState(run && isActive(run.state) ? run.jobId : null);
  if (!run) return <Moment ms={null} />;
  const state = job?.state ?? run.state;
  const percent = job ? (state === 'RUNNING' ? (job.detail?.percent ?? null) : job.progress) : run.progress;
  return <JobProgress job={{ title: row.title, kind: row.kind as JobKind, state }} percent={percent} />;
}

const strategies = ['hourly', 'daily', 'weekly'] as const;
const strategyOf = (name: string) => strategies.find((one) => one === name) ?? 'daily';

/** The newest runs as bars, oldest first; the words say it for those who do not see colours. */
function Runs({ runs }: { runs: Row['runs'] }) {
  const { t } = useTranslation();
  if (runs.length === 0) return <Moment ms={null} />;
  const failed = runs.filter((run) => run.state === 'FAILED').length;
  return (
    <span className={css.runs} role="img" aria-label={t('system.jobList.runsOf', { count: runs.length, all: runs.length, failed })}>
      {runs.map((run) => (
        <i key={run.jobId} data-state={run.state} title={t(`jobs.states.${run.state}`)} />
      ))}
    </span>
  );
}
