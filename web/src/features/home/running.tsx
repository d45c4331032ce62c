// What runs now, followed live.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { messageOf } from '@/api/error';
import { useTimeTexts } from '@/i18n/time';
import { compact } from '@/lib/format';
import { paths } from '@/lib/paths';
import { titleOf, type Job } from '@/api/jobs';
import { useJob } from '@/live/jobs';
import { Card, Empty, Failed, ProgressBar, Skeleton, Tag } from '@/ui/parts';
import { useJobs } from './use-jobs';
import css from './home.module.css';

const shown = 3;

export function Running() {
  const { t } = useTranslation();
  const { data, error, refetch } = useJobs('RUNNING');
  return (
    <Card title={t('home.runningNow')} extra={<Link to={paths.jobs}>{t('home.allJobs')}</Link>} className={css.running}>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className={css.waiting}>
          <Skeleton height="72px" />
        </div>
      ) : data.items.length === 0 ? (
        <Empty title={t('home.nothingRuns')}>{t('home.nothingRunsHint')}</Empty>
      ) : (
        <ul>
          {data.items.slice(0, shown).map((job) => (
            <RunningJob key={job.jobId} listed={job} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function RunningJob({ listed }: { listed: Job }) {
  const { t } = useTranslation();
  const { elapsed } = useTimeTexts();
  const job = useJob(listed.jobId) ?? listed;
  const percent = job.detail?.percent ?? null;
  const title = titleOf(job) || t('jobs.untitled', { kind: job.kind });
  return (
    <li className={css.job}>
      <div className={css.jobHead}>
        <span className="ellipsis">{title}</span>
        <Tag tone="accent">{job.kind}</Tag>
      </div>
      <div className={css.jobBar}>
        <ProgressBar percent={percent} label={t('home.progressOf', { title })} />
        {percent !== null && <span>{Math.floor(percent)}%</span>}
      </div>
      <p className={css.note}>
        {elapsed(job.elapsedMs)}
        {job.detail && ` · ${t('home.rowsRead', { count: job.detail.rowsRead, rows: compact(job.detail.rowsRead) })}`}
      </p>
    </li>
  );
}
