/** What every list of jobs shows of one: how far it is, its text, its log. */
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { titleOf, type Job } from '@/api/jobs';
import { ProgressBar } from './parts';
import css from './job.module.css';

/** The bar in the colour of the state, with the percentage once there is one. */
export function JobProgress({ job, percent }: { job: Pick<Job, 'title' | 'kind' | 'state'>; percent: number | null }) {
  const { t } = useTranslation();
  return (
    <span className={css.progress} data-state={job.state}>
      <ProgressBar percent={percent} label={t('jobs.progressOf', { title: titleOf(job) || t('jobs.untitled', { kind: job.kind }) })} />
      {percent === null || job.state === 'QUEUED' ? null : <small>{`${Math.floor(percent)}%`}</small>}
    </span>
  );
}

interface JobTextProps {
  label: string;
  /** The text grows while somebody reads. */
  live?: boolean;
  box?: Ref<HTMLPreElement>;
  children: ReactNode;
}

/** A text of a job, or its log; it scrolls, so the keyboard has to be able to reach it. */
export function JobText({ label, live = false, box, children }: JobTextProps) {
  return (
    <pre ref={box} className={css.text} tabIndex={0} role={live ? 'log' : undefined} aria-label={label}>
      {children}
    </pre>
  );
}
