// The jobs of everybody, newest first, with live progress and an end for each.
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { isActive, titleOf, type Job, type JobState } from '@/api/jobs';
import { useJobState } from '@/live/use-job-state';
import { Button } from '@/ui/button';
import { useElapsedText } from '@/ui/elapsed';
import { JobProgress } from '@/ui/job';
import { Tag, type Tone } from '@/ui/parts';
import { useAct } from '../kit/act';
import { Actions } from '../kit/cells';
import { useCommon } from '../kit/common';
import { ListPage } from '../kit/list-page';
import { listOf, type RowOf, type Source } from '../kit/source';
import { JobDrawer } from './job-drawer';

const source = listOf('/api/system/job/list') as Source<Job>;
const refreshMs = 5_000;
const states = ['RUNNING', 'QUEUED', 'SUCCEEDED', 'FAILED', 'KILLED'] as const;
const kinds = ['SQL', 'GRAPH', 'HIVE', 'MAPREDUCE', 'LABEL'] as const;
const tones: Record<JobState, Tone> = { QUEUED: 'plain', RUNNING: 'accent', SUCCEEDED: 'ok', FAILED: 'bad', KILLED: 'warn' };

export function AllJobs({ picker }: { picker: ReactNode }) {
  const { t } = useTranslation();
  const act = useAct();
  const elapsedText = useElapsedText();
  const [shown, setShown] = useState<string>();
  const { user, choice, person, moment, plain, actions } = useCommon<RowOf<typeof source>>();
  return (
    <>
      <ListPage
        page="jobList"
        source={source}
        refreshMs={refreshMs}
        above={picker}
        rowKey={(row) => row.jobId}
        filters={[user(), choice('kind', t('system.jobList.kind'), kinds.map((kind) => [kind, kind])), choice('state', t('system.kit.state'), states.map((state) => [state, t(`jobs.states.${state}`)]))]}
        columns={[
          plain('title', t('jobs.job'), (row) => row.title, { main: true, cut: true, cell: (row) => titleOf(row) || t('jobs.untitled', { kind: row.kind }) }),
          { ...person((row) => row.userName), main: false },
          plain('kind', t('jobs.kind'), (row) => row.kind, { cell: (row) => <Tag>{row.kind}</Tag> }),
          plain('state', t('system.kit.state'), (row) => row.state, { cell: (row) => <State job={row} /> }),
          { key: 'progress', head: t('jobs.progress'), cell: (row) => <Progress job={row} /> },
          moment('start', t('system.jobList.start'), (row) => row.startTime),
          moment('finish', t('system.jobList.finish'), (row) => row.finishTime),
          plain('elapsed', t('jobs.elapsed'), (row) => String(row.elapsedMs), { end: true, unit: 'ms', cell: (row) => elapsedText(row.elapsedMs) }),
          actions((row) => (
            <Actions>
              <Button size="small" kind="text" onClick={() => setShown(row.jobId)}>
                {t('jobs.log')}
              </Button>
              {isActive(row.state) && (
                <Button
                  size="small"
                  kind="danger"
                  onClick={() =>
                    act({
                      run: () => call('post', '/api/system/job/kill/{jobId}', { path: { jobId: row.jobId } }),
                      done: t('jobs.killed'),
                      confirm: { title: t('jobs.killTitle'), text: t('system.jobList.killText', { name: row.userName }), ok: t('jobs.kill') },
                    })
                  }
                >
                  {t('jobs.kill')}
                </Button>
              )}
            </Actions>
          )),
        ]}
      />
      {shown !== undefined && <JobDrawer jobId={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** A running job as it is this moment, not as the list last saw it. */
function useNowOf(listed: Job): Job {
  const live = useJobState(isActive(listed.state) ? listed.jobId : null).job;
  return live ? { ...listed, ...live } : listed;
}

function State({ job: listed }: { job: Job }) {
  const { t } = useTranslation();
  const job = useNowOf(listed);
  return <Tag tone={tones[job.state]}>{t(`jobs.states.${job.state}`)}</Tag>;
}

function Progress({ job: listed }: { job: Job }) {
  const job = useNowOf(listed);
  const percent = job.state === 'RUNNING' ? (job.detail?.percent ?? null) : job.progress;
  return <JobProgress job={job} percent={percent} />;
}
