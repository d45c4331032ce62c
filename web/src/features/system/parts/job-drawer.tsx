// One job: who ran it, how it ended, its text and its log.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { getJobLog, isActive } from '@/api/jobs';
import { useFailures } from '@/i18n/failures';
import { bytes, count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { useJobState } from '@/live/use-job-state';
import { Drawer } from '@/ui/drawer';
import { useElapsedText } from '@/ui/elapsed';
import { JobText } from '@/ui/job';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { Moment, Person } from '../kit/cells';
import kit from '../kit/kit.module.css';

const refreshMs = 1_000;

export function JobDrawer({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const tell = useFailures();
  const elapsedText = useElapsedText();
  const { job, gone, failed } = useJobState(jobId);
  const active = job !== undefined && isActive(job.state);
  const log = useQuery({ queryKey: ['log', jobId, active], queryFn: () => getJobLog(jobId), refetchInterval: active ? refreshMs : false, placeholderData: (before, of) => (of?.queryKey[1] === jobId ? before : undefined) });
  const facts: [string, React.ReactNode][] = job
    ? [
        [t('jobs.id'), <code key="id">{job.jobId}</code>],
        [t('system.kit.user'), <Person key="user" name={job.userName} />],
        [t('jobs.kind'), job.kind],
        [t('system.kit.state'), t(`jobs.states.${job.state}`)],
        [t('jobs.created'), <Moment key="created" ms={job.createTime} />],
        [t('jobs.elapsed'), elapsedText(job.elapsedMs)],
        ...(job.detail ? [[t('jobs.read'), t('jobs.readOf', { count: job.detail.rowsRead, rows: count(job.detail.rowsRead), bytes: bytes(job.detail.bytesRead) })] as [string, string]] : []),
        ...(job.message === '' ? [] : [[t('jobs.message'), tell(job)] as [string, string]]),
      ]
    : [];
  return (
    <Drawer open title={t('system.jobList.job')} size={720} onClose={onClose}>
      {gone && <Empty title={t('common.noData')}>{t('system.jobList.gone')}</Empty>}
      {failed && !gone && <Failed message={messageOf(failed.error)} onRetry={failed.retry} />}
      {!job && !failed && <Skeleton height="12em" />}
      {job && (
        <>
          <dl className={kit.facts}>
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <h2 className={kit.sub}>{t('jobs.text')}</h2>
          <JobText label={t('jobs.text')}>{job.text ?? job.title}</JobText>
          <h2 className={kit.sub}>{t('jobs.log')}</h2>
          {log.isError && <Failed message={messageOf(log.error)} onRetry={() => void log.refetch()} />}
          <JobText live label={t('jobs.log')}>
            {log.data?.lines.length === 0 ? t('jobs.logEmpty') : log.data?.lines.map((line) => `${formatTime(line.time).slice(11)}  ${line.text}`).join('\n')}
          </JobText>
        </>
      )}
    </Drawer>
  );
}
