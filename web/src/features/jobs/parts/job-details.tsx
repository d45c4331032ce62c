/** More of one job: its whole text, what it read, why it failed, and its log. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { getJob, getJobLog, isActive, type Job } from '@/api/jobs';
import { bytes, count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Failed, Skeleton } from '@/ui/parts';
import css from './jobs.module.css';

const refreshMs = 1_000;

export function JobDetails({ job }: { job: Job }) {
  const { t } = useTranslation();
  const whole = useQuery({ queryKey: ['job', job.jobId, 'text'], queryFn: ({ signal }) => getJob(job.jobId, signal), staleTime: Infinity });
  const log = useQuery({ queryKey: ['log', job.jobId, isActive(job.state)], queryFn: () => getJobLog(job.jobId), refetchInterval: isActive(job.state) ? refreshMs : false });
  const facts: [string, string][] = [
    [t('jobs.id'), job.jobId],
    [t('jobs.created'), `${formatTime(job.createTime)} UTC`],
    ...(job.detail ? ([[t('jobs.read'), t('jobs.readOf', { rows: count(job.detail.rowsRead), bytes: bytes(job.detail.bytesRead) })]] as [string, string][]) : []),
    ...(job.message === '' ? [] : ([[t('jobs.message'), job.position ? `${t('queries.error.line', { line: job.position.line })}: ${job.message}` : job.message]] as [string, string][])),
  ];
  return (
    <div className={css.details}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={css.texts}>
        {/* Both texts scroll, so the keyboard has to be able to reach them. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre tabIndex={0} aria-label={t('jobs.text')}>
          {whole.isPending ? <Skeleton height="1em" width="60%" /> : (whole.data?.text ?? job.title)}
        </pre>
        {log.isError ? <Failed message={messageOf(log.error)} onRetry={() => void log.refetch()} /> : null}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre tabIndex={0} role="log" aria-label={t('jobs.log')}>
          {log.data?.lines.length === 0 ? t('jobs.logEmpty') : log.data?.lines.map((line) => `${formatTime(line.time).slice(11)}  ${line.text}`).join('\n')}
        </pre>
      </div>
    </div>
  );
}
