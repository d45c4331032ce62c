/** One job of the list: what it is, how it goes, and what can be done with it. Follows its job live while it runs. */
import { Popconfirm } from 'antd';
import { ChevronRight, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isActive, titleOf, type Job, type JobState } from '@/api/jobs';
import { useFailures } from '@/i18n/failures';
import { count } from '@/lib/format';
import { queryOfJob } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { useJobState } from '@/live/use-job-state';
import { Button, ButtonLink } from '@/ui/button';
import { useElapsedText } from '@/ui/elapsed';
import { JobProgress } from '@/ui/job';
import { Tag, type Tone } from '@/ui/parts';
import { JobDetails } from './job-details';
import css from './jobs.module.css';

const TONES: Record<JobState, Tone> = { QUEUED: 'plain', RUNNING: 'accent', SUCCEEDED: 'ok', FAILED: 'bad', KILLED: 'warn' };

interface JobRowProps {
  job: Job;
  opened: boolean;
  onKill: (job: Job) => Promise<unknown>;
  onAgain: (job: Job) => Promise<unknown>;
}

export function JobRow({ job: listed, opened, onKill, onAgain }: JobRowProps) {
  const { t } = useTranslation();
  const tell = useFailures();
  const elapsedText = useElapsedText();
  const [open, setOpen] = useState(opened);
  const [busy, setBusy] = useState(false);
  const live = useJobState(isActive(listed.state) ? listed.jobId : null).job;
  const job = live ? { ...listed, ...live } : listed;
  const active = isActive(job.state);
  const title = titleOf(job) || t('jobs.untitled', { kind: job.kind });
  const percent = job.state === 'SUCCEEDED' ? 100 : job.state === 'RUNNING' ? (job.detail?.percent ?? null) : job.progress;

  const work = (action: (job: Job) => Promise<unknown>) => {
    setBusy(true);
    // A refusal is told by the popup.
    void action(job)
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  const time = (ms: number | null, missing: string) => (ms === null ? <span className={css.soft}>{missing}</span> : <time dateTime={new Date(ms).toISOString()}>{formatTime(ms)}</time>);

  return (
    <>
      <tr data-open={open} data-state={job.state}>
        <td className={css.fold}>
          <button type="button" aria-expanded={open} aria-label={t('jobs.details', { title })} onClick={() => setOpen(!open)}>
            <ChevronRight size={16} strokeWidth={1.8} aria-hidden />
          </button>
        </td>
        <td className={css.title} title={title}>
          <span>{title}</span>
        </td>
        <td data-label={t('jobs.kind')}>
          <Tag>{job.kind}</Tag>
        </td>
        <td data-label={t('jobs.state')}>
          <Tag tone={TONES[job.state]}>{t(`jobs.states.${job.state}`)}</Tag>
        </td>
        <td data-label={t('jobs.progress')}>
          <JobProgress job={job} percent={percent} />
        </td>
        <td data-label={t('jobs.detail')} className={css.detail} title={tell(job)}>
          {job.state === 'SUCCEEDED' && job.rows !== null ? t('jobs.rows', { count: job.rows, rows: count(job.rows) }) : tell(job)}
        </td>
        <td data-label={t('jobs.start')} data-end>
          {time(job.startTime, t('jobs.notYet'))}
        </td>
        <td data-label={t('jobs.finish')} data-end>
          {time(job.finishTime, active ? t('jobs.running') : t('jobs.notYet'))}
        </td>
        <td data-label={t('jobs.elapsed')} data-end>
          {elapsedText(job.elapsedMs)}
        </td>
        <td className={css.operate}>
          <span>
            {active ? (
              <Popconfirm title={t('jobs.killTitle')} description={typeof percent === 'number' ? t('jobs.killText', { percent: Math.floor(percent) }) : t('jobs.killTextUnknown')} okText={t('jobs.kill')} cancelText={t('common.cancel')} okButtonProps={{ danger: true }} onConfirm={() => work(onKill)}>
                <Button size="small" kind="danger" busy={busy} icon={<CircleX size={15} strokeWidth={1.8} />}>
                  {t('jobs.kill')}
                </Button>
              </Popconfirm>
            ) : (
              <>
                <ButtonLink size="small" to={queryOfJob(job.jobId)}>
                  {job.state === 'SUCCEEDED' ? t('jobs.result') : t('jobs.open')}
                </ButtonLink>
                <Button size="small" busy={busy} onClick={() => work(onAgain)}>
                  {t('jobs.again')}
                </Button>
              </>
            )}
          </span>
        </td>
      </tr>
      {open ? (
        <tr className={css.more}>
          <td colSpan={10}>
            <JobDetails job={job} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
