/** The job list: the person's own runs with their state, filtered by the address, followed live. */
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { Segmented } from 'antd';
import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { messageOf } from '@/api/error';
import { executeQuery, getJob, killJob, listJobs, titleOf, type Job, type JobFilter, type JobState } from '@/api/jobs';
import { decodeId } from '@/lib/ids';
import { count } from '@/lib/format';
import { loginPath } from '@/lib/guard';
import { usePage } from '@/lib/page';
import { paths, queryOfJob } from '@/lib/paths';
import { newQuery } from '@/lib/query-link';
import { useSession } from '@/lib/session';
import { formatTime } from '@/lib/time';
import { keepLive } from '@/live/jobs';
import { useLiveState } from '@/live/socket';
import { queryKinds } from '@/query-kinds/registry';
import { ButtonLink } from '@/ui/button';
import { useInPage } from '@/ui/in-page';
import { notify } from '@/ui/notices';
import { Pages } from '@/ui/pages';
import { Beyond, Empty, Failed, Skeleton } from '@/ui/parts';
import table from '@/ui/table.module.css';
import { Tabs } from '@/ui/tabs';
import { useJobs } from './api';
import { QUERIES_VIEW, readFilter, STATES, writeFilter } from './model';
import { JobRow } from './parts/job-row';
import { SavedQueries } from './parts/saved-queries';
import css from './parts/jobs.module.css';

const HEADS = ['job', 'kind', 'state', 'progress', 'detail', 'start', 'finish', 'elapsed', 'operate'] as const;
/** How often the numbers beside the kinds are asked again. */
const totalsMs = 15_000;
const NUMBERS: readonly string[] = ['start', 'finish', 'elapsed', 'operate'];

export function Component() {
  const { t } = useTranslation();
  const heading = t('jobs.title');
  usePage(heading);
  const visitor = useSession().token === null;
  const location = useLocation();
  return (
    <div className={css.page}>
      <header className={css.top}>
        <div>
          <h1 tabIndex={-1}>{heading}</h1>
          <p>{t('jobs.intro')}</p>
        </div>
        {visitor ? null : (
          <div className={css.new}>
            {queryKinds
              .filter((kind) => kind.form)
              .map((kind) => (
                <ButtonLink key={kind.id} to={newQuery(kind.id)} icon={<Plus size={17} strokeWidth={1.6} />}>
                  {t('jobs.newOf', { kind: kind.title })}
                </ButtonLink>
              ))}
            <ButtonLink kind="primary" to={paths.query} icon={<Plus size={17} strokeWidth={1.6} />}>
              {t('queries.title')}
            </ButtonLink>
          </div>
        )}
      </header>
      {visitor ? (
        <div className={table.card}>
          <Empty
            title={t('jobs.visitorTitle')}
            actions={
              <>
                <ButtonLink kind="primary" size="small" to={loginPath(location)}>
                  {t('queries.result.logIn')}
                </ButtonLink>
                <ButtonLink size="small" to={paths.register}>
                  {t('queries.result.signUp')}
                </ButtonLink>
              </>
            }
          >
            {t('jobs.visitorText')}
          </Empty>
        </div>
      ) : (
        <Lists />
      )}
    </div>
  );
}

/** Jobs by kind with how many there are of each, and the saved queries. */
function Lists() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const filter = readFilter(search);
  const queries = search.get('view') === QUERIES_VIEW;
  const kinds = [undefined, ...queryKinds.map((kind) => kind.id)];
  const totals = useQueries({ queries: kinds.map((kind) => ({ queryKey: ['jobs', 'total', kind ?? ''], queryFn: ({ signal }: { signal: AbortSignal }) => listJobs({ kind, page: 1, size: 1 }, signal), refetchInterval: totalsMs })) });
  const tabs = kinds.map((kind, index) => {
    const total = totals[index]?.data?.total;
    return { key: kind ?? '', name: kind ?? t('jobs.allKinds'), to: `${paths.jobs}?${new URLSearchParams(writeFilter({ ...filter, kind, page: 1 })).toString()}`, ...(total === undefined ? {} : { count: count(total) }) };
  });
  return (
    <>
      <Tabs label={t('jobs.kind')} current={queries ? QUERIES_VIEW : (filter.kind ?? '')} tabs={[...tabs, { key: QUERIES_VIEW, name: t('jobs.saved.title'), to: `${paths.jobs}?view=${QUERIES_VIEW}` }]} />
      {queries ? <SavedQueries /> : <JobList />}
    </>
  );
}

function JobList() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [search, setSearch] = useInPage();
  const filter = readFilter(search);
  const jobs = useJobs(filter, true);
  const live = useLiveState();
  useEffect(() => keepLive(), []);
  const opened = decodeId(search.get('job'));
  const setFilter = (change: Partial<JobFilter>) => setSearch(writeFilter({ ...filter, page: 1, ...change }));

  const kill = async (job: Job) => {
    await killJob(job.jobId);
    notify.success(t('jobs.killed'));
    await client.invalidateQueries({ queryKey: ['jobs'] });
  };

  const again = async (job: Job) => {
    try {
      const { text, spec, parameters } = await getJob(job.jobId);
      const { jobId } = await executeQuery(job.kind, text ?? '', { spec: spec ?? null, title: titleOf(job), ...(parameters ? { parameters } : {}) });
      await navigate(queryOfJob(jobId));
    } catch (error) {
      notify.error(messageOf(error));
    }
  };

  const items = jobs.data?.items ?? [];
  const total = jobs.data?.total ?? 0;
  const filtered = filter.state !== undefined || filter.kind !== undefined;

  return (
    <>
      <div className={css.filters}>
        <Segmented<JobState | ''> aria-label={t('jobs.state')} value={filter.state ?? ''} onChange={(state) => setFilter({ state: state === '' ? undefined : state })} options={[{ value: '' as const, label: t('jobs.allStates') }, ...STATES.map((state) => ({ value: state, label: t(`jobs.states.${state}`) }))]} />
        <span className={css.live} data-open={live === 'open'}>
          {live === 'waiting' ? t('jobs.reconnecting') : t('jobs.live')}
          {jobs.dataUpdatedAt > 0 ? <small>{t('jobs.asOf', { time: formatTime(jobs.dataUpdatedAt).slice(11) })}</small> : null}
        </span>
      </div>
      <div className={table.card} data-stale={jobs.isPlaceholderData}>
        <table className={`${table.table} ${css.table}`} data-rows="high" data-folds aria-busy={jobs.isFetching}>
          <caption className="visually-hidden">{t('jobs.title')}</caption>
          <thead>
            <tr>
              <th className={css.fold}>
                <span className="visually-hidden">{t('jobs.more')}</span>
              </th>
              {HEADS.map((head) => (
                <th key={head} scope="col" data-end={NUMBERS.includes(head)}>
                  {t(`jobs.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {jobs.isPending
              ? Array.from({ length: 6 }, (_, index) => (
                  <tr key={index}>
                    <td colSpan={10}>
                      <Skeleton height="1em" width={`${90 - ((index * 17) % 40)}%`} />
                    </td>
                  </tr>
                ))
              : items.map((job) => <JobRow key={job.jobId} job={job} opened={job.jobId === opened} onKill={kill} onAgain={again} />)}
          </tbody>
        </table>
        {jobs.isError && !jobs.data ? <Failed message={messageOf(jobs.error)} onRetry={() => void jobs.refetch()} /> : null}
        {jobs.data && items.length === 0 && total > 0 ? <Beyond onFirst={() => setFilter({ page: 1 })} /> : null}
        {jobs.data?.total === 0 ? (
          <Empty title={t('common.noData')} actions={filtered ? null : <ButtonLink kind="primary" size="small" to={paths.query}>{t('queries.title')}</ButtonLink>}>
            {filtered ? t('jobs.nothingFiltered') : t('jobs.nothing')}
          </Empty>
        ) : null}
      </div>
      <Pages paging={{ page: filter.page, size: filter.size }} total={total} onChange={setFilter} />
    </>
  );
}
