/** More of one job: its whole text, what it read, why it failed, and its log. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { getJob, isActive, type Job } from '@/api/jobs';
import { useFailures } from '@/i18n/failures';
import { bytes, count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { useJobLog } from '@/live/use-job-log';
import { queryKinds } from '@/query-kinds/registry';
import { JobText } from '@/ui/job';
import { Failed, Skeleton } from '@/ui/parts';
import css from './jobs.module.css';

/** What ran: a text, or the fields of a form, its code as it was written. */
function textOf({ text, spec, title }: Job): string {
  if (!spec) return text ?? title;
  return Object.entries(spec).map(([field, value]) => (typeof value === 'string' && value.includes('\n') ? `// ---- ${field} ----\n${value}` : `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)).join('\n');
}

export function JobDetails({ job }: { job: Job }) {
  const { t } = useTranslation();
  const tell = useFailures();
  const whole = useQuery({ queryKey: ['job', job.jobId, 'text'], queryFn: ({ signal }) => getJob(job.jobId, signal), staleTime: Infinity });
  const tells = queryKinds.some((kind) => kind.id === job.kind && kind.logs === true);
  const log = useJobLog(job.jobId, isActive(job.state), tells);
  const box = useRef<HTMLPreElement>(null);
  const length = log.data?.lines.length ?? 0;
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [length]);
  const facts: [string, string][] = [
    [t('jobs.id'), job.jobId],
    [t('jobs.created'), `${formatTime(job.createTime)} UTC`],
    ...(job.detail ? ([[t('jobs.read'), t('jobs.readOf', { count: job.detail.rowsRead, rows: count(job.detail.rowsRead), bytes: bytes(job.detail.bytesRead) })]] as [string, string][]) : []),
    ...(job.message === '' ? [] : ([[t('jobs.message'), job.position ? `${t('queries.error.line', { line: job.position.line })}: ${tell(job)}` : tell(job)]] as [string, string][])),
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
        <JobText label={t('jobs.text')}>{whole.isPending ? <Skeleton height="1em" width="60%" /> : textOf(whole.data ?? job)}</JobText>
        {log.isError ? <Failed message={messageOf(log.error)} onRetry={() => void log.refetch()} /> : null}
        <JobText live box={box} label={t('jobs.log')}>
          {log.data?.lines.length === 0 ? t('jobs.logEmpty') : log.data?.lines.map((line) => `${formatTime(line.time).slice(11)}  ${line.text}`).join('\n')}
        </JobText>
      </div>
    </div>
  );
}
