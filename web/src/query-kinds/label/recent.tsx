/** The person's last label jobs, with how far each is. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isActive, listJobs } from '@/api/jobs';
import { paths, queryOfJob } from '@/lib/paths';
import { linkTypes } from '@/lib/query-link';
import { formatTime } from '@/lib/time';
import { useSession } from '@/lib/session';
import { useElapsedText } from '@/ui/elapsed';
import { ProgressBar } from '@/ui/parts';
import css from './form.module.css';

const MOST = 6;
const refreshMs = 5_000;

export function RecentJobs() {
  const { t } = useTranslation();
  const elapsedText = useElapsedText();
  const signedIn = useSession().token !== null;
  const filter = { kind: 'LABEL', page: 1, size: MOST } as const;
  const { data } = useQuery({
    queryKey: ['jobs', 'list', filter],
    queryFn: ({ signal }) => listJobs(filter, signal),
    enabled: signedIn,
    refetchInterval: ({ state }) => (state.data?.items.some((job) => isActive(job.state)) ? refreshMs : 4 * refreshMs),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <aside className={css.recent} aria-label={t('editors.label.recent')}>
      <h2>{t('editors.label.recent')}</h2>
      <ul>
        {data.items.map((job) => (
          <li key={job.jobId} data-state={job.state}>
            <div>
              <Link to={queryOfJob(job.jobId)} className="ellipsis">
                {job.title}
              </Link>
              <time title={t('shell.blockTime', { time: formatTime(job.createTime) })}>{t('shell.blockTime', { time: formatTime(job.createTime).slice(5, 16) })}</time>
            </div>
            <ProgressBar percent={job.state === 'SUCCEEDED' ? 100 : job.progress} label={job.title} />
            <small>
              {t(`queries.run.state.${job.state}`)}, {elapsedText(job.elapsedMs)}
            </small>
          </li>
        ))}
      </ul>
      <Link to={`${paths.jobs}?type=${linkTypes.LABEL}`}>{t('editors.label.allJobs')}</Link>
    </aside>
  );
}
