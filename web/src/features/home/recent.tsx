// What the person made last, to go on with; who has made nothing yet sees what ran.
import { useQuery } from '@tanstack/react-query';
import { ChartColumn, CodeXml, Layers, LayoutDashboard, Plus, Waypoints, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '@/api/call';
import { pageOf, type Card as Creation, type CreationKind } from '@/api/creations';
import { messageOf } from '@/api/error';
import { titleOf, type Job, type JobState } from '@/api/jobs';
import { useTimeTexts } from '@/i18n/time';
import { count } from '@/lib/format';
import { paths, queryOfJob } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { useNow } from '@/lib/now';
import { ButtonLink } from '@/ui/button';
import { Card, Empty, Failed, Skeleton, Tag, type Tone } from '@/ui/parts';
import { useJobs } from './use-jobs';
import css from './home.module.css';

const tones: Record<JobState, Tone> = { QUEUED: 'plain', RUNNING: 'accent', SUCCEEDED: 'ok', FAILED: 'bad', KILLED: 'warn' };
const icons: Record<CreationKind, LucideIcon> = { query: CodeXml, dashboard: LayoutDashboard, visualization: ChartColumn, project: Layers, graph: Waypoints };
const size = 8;

export function Recent() {
  const { t } = useTranslation();
  const made = useQuery({ queryKey: ['creations', 'recent'], queryFn: ({ signal }) => call('get', '/api/creation/mine', { query: { page: 1, size }, signal, quiet: true }) });
  const ran = useJobs();
  const creations = (made.data?.items ?? []).flatMap((card) => ({ card, page: pageOf(card) })).filter((one): one is Shown => one.page !== null);
  const jobs = ran.data?.items ?? [];
  const failed = made.isError && !made.data ? made : ran.isError && !ran.data ? ran : null;
  return (
    <Card title={t('home.continue')} extra={!made.data ? null : creations.length > 0 ? <Link to={paths.creations}>{t('home.allCreations')}</Link> : <Link to={paths.jobs}>{t('home.allJobs')}</Link>}>
      {failed ? (
        <Failed message={messageOf(failed.error)} onRetry={() => void failed.refetch()} />
      ) : !made.data || !ran.data ? (
        <div className={css.waiting}>
          {Array.from({ length: 4 }, (_, index) => (
            <Skeleton key={index} height="max(0.3rem, 28px)" />
          ))}
        </div>
      ) : creations.length + jobs.length === 0 ? (
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
        <ul className={css.rows}>{creations.length > 0 ? creations.map((one) => <CreationRow key={one.card.id} {...one} />) : jobs.map((job) => <JobRow key={job.jobId} job={job} />)}</ul>
      )}
    </Card>
  );
}

interface Shown {
  card: Creation;
  page: string;
}

function CreationRow({ card, page }: Shown) {
  const { t } = useTranslation();
  const Icon = icons[card.kind];
  return (
    <Row to={page} icon={<Icon size={17} strokeWidth={1.6} />} title={card.title} kind={card.queryKind ?? t(`home.kinds.${card.kind}`)} time={card.updateTime} state={<Tag tone={card.visibility === 'public' ? 'plain' : 'warn'}>{t(`home.visibility.${card.visibility}`)}</Tag>} />
  );
}

function JobRow({ job }: { job: Job }) {
  const { t } = useTranslation();
  return (
    <Row
      to={queryOfJob(job.jobId)}
      icon={<CodeXml size={17} strokeWidth={1.6} />}
      title={titleOf(job) || t('jobs.untitled', { kind: job.kind })}
      kind={job.kind}
      time={job.startTime ?? job.createTime}
      facts={job.rows === null ? undefined : t('home.rows', { count: job.rows, rows: count(job.rows) })}
      state={<Tag tone={tones[job.state]}>{t(`home.states.${job.state}`)}</Tag>}
    />
  );
}

interface RowProps {
  to: string;
  icon: ReactNode;
  title: string;
  kind: string;
  time: number;
  /** Said after the time. */
  facts?: string | undefined;
  state: ReactNode;
}

function Row({ to, icon, title, kind, time, facts, state }: RowProps) {
  const { t } = useTranslation();
  const { ago } = useTimeTexts();
  const now = useNow();
  return (
    <li>
      <Link to={to} className={css.row}>
        {icon}
        <span className={`${css.rowTitle} ellipsis`}>{title}</span>
        <Tag>{kind}</Tag>
        <span className={css.rowTime} title={t('shell.blockTime', { time: formatTime(time) })}>
          {ago(time, now) ?? t('shell.blockTime', { time: formatTime(time) })}
          {facts === undefined ? null : `, ${facts}`}
        </span>
        {state}
      </Link>
    </li>
  );
}
