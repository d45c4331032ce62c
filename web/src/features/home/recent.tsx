// What the person did last, to go on with.
import { CodeXml, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { messageOf } from '@/api/error';
import { useTimeTexts } from '@/i18n/time';
import { count } from '@/lib/format';
import { paths, queryOfJob } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { useNow } from '@/lib/now';
import type { Job, JobState } from '@/api/jobs';
import { ButtonLink } from '@/ui/button';
import { Card, Empty, Failed, Skeleton, Tag, type Tone } from '@/ui/parts';
import { useJobs } from './use-jobs';
import css from './home.module.css';

const tones: Record<JobState, Tone> = { QUEUED: 'plain', RUNNING: 'accent', SUCCEEDED: 'ok', FAILED: 'bad', KILLED: 'warn' };

export function Recent() {
  const { t } = useTranslation();
  const { data, error, refetch } = useJobs();
  return (
    <Card title={t('home.continue')} extra={<Link to={paths.jobs}>{t('home.allJobs')}</Link>}>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className={css.waiting}>
          {Array.from({ length: 4 }, (_, index) => (
            <Skeleton key={index} height="max(0.3rem, 28px)" />
          ))}
        </div>
      ) : data.items.length === 0 ? (
        <Empty
          title={t('home.noQuery')}
          actions={
            <ButtonLink to={paths.query} kind="primary" icon={<Plus size={17} strokeWidth={1.6} />}>
              {t('shell.create.query')}
            </ButtonLink>
          }
        >
          {t('home.noQueryHint')}
        </Empty>
      ) : (
        <ul className={css.rows}>
          {data.items.map((job) => (
            <Row key={job.jobId} job={job} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ job }: { job: Job }) {
  const { t } = useTranslation();
  const { ago } = useTimeTexts();
  const now = useNow();
  const started = job.startTime ?? job.createTime;
  return (
    <li>
      <Link to={queryOfJob(job.jobId)} className={css.row}>
        <CodeXml size={17} strokeWidth={1.6} />
        <span className={`${css.rowTitle} ellipsis`}>{job.title}</span>
        <Tag>{job.kind}</Tag>
        <span className={css.rowTime} title={t('shell.blockTime', { time: formatTime(started) })}>
          {ago(started, now) ?? formatTime(started)}
          {job.rows !== null && `, ${t('home.rows', { count: job.rows, rows: count(job.rows) })}`}
        </span>
        <Tag tone={tones[job.state]}>{t(`home.states.${job.state}`)}</Tag>
      </Link>
    </li>
  );
}
