/** How far the run is: stage, percent, elapsed time, rows and bytes read, and the log; said politely to who can't see it. */
import { CircleCheck, CircleSlash, CircleX, Clock, LoaderCircle, WifiOff } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isActive, type Job, type JobState } from '@/api/jobs';
import { useConnected } from '@/lib/connection';
import { bytes, compact } from '@/lib/format';
import { useElapsedText } from '@/ui/elapsed';
import { ProgressBar } from '@/ui/parts';
import { runKeys } from '../model/keys';
import css from './run-bar.module.css';

const ICONS: Record<JobState, ReactNode> = {
  QUEUED: <Clock size={16} strokeWidth={1.8} aria-hidden />,
  RUNNING: <LoaderCircle size={16} strokeWidth={2.2} className={css.spin} aria-hidden />,
  SUCCEEDED: <CircleCheck size={16} strokeWidth={1.8} aria-hidden />,
  FAILED: <CircleX size={16} strokeWidth={1.8} aria-hidden />,
  KILLED: <CircleSlash size={16} strokeWidth={1.8} aria-hidden />,
};

const STAGES = ['queued', 'planning', 'reading', 'aggregating', 'sorting', 'joining', 'writing'] as const;
type Stage = (typeof STAGES)[number];
const isStage = (stage: string): stage is Stage => (STAGES as readonly string[]).includes(stage);

/** Milliseconds the job has run: the server's figure, carried on by the clock here between two messages. */
function useElapsed(job: Job | undefined, connected: boolean): number {
  const [since, setSince] = useState({ version: -1, at: 0 });
  const [now, setNow] = useState(0);
  const ticking = job?.state === 'RUNNING' && connected;
  if (job && since.version !== job.version) setSince({ version: job.version, at: now });
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, [ticking]);
  return (job?.elapsedMs ?? 0) + (ticking && since.at > 0 ? Math.max(0, now - since.at) : 0);
}

interface RunBarProps {
  job: Job | undefined;
  /** The query is on its way and has no job yet. */
  sending: boolean;
  visitor: boolean;
  /** Too little room for hints about keys. */
  narrow: boolean;
  /** There is no text to select a part of. */
  form: boolean;
  logShown: boolean;
  onLog: () => void;
}

export function RunBar({ job, sending, visitor, narrow, form, logShown, onLog }: RunBarProps) {
  const { t } = useTranslation();
  const elapsedText = useElapsedText();
  const connected = useConnected();
  const elapsed = useElapsed(job, connected);
  if (!job || sending) {
    if (narrow && !visitor && !sending) return null;
    const idle = visitor ? t('queries.run.readOnlyHint') : t(form ? 'editors.run.form' : 'queries.run.hint', { keys: runKeys });
    return (
      <div className={css.bar} data-state={sending ? 'QUEUED' : 'NONE'}>
        {sending ? ICONS.RUNNING : null}
        <span>{sending ? t('queries.run.sending') : idle}</span>
      </div>
    );
  }
  const { detail, state } = job;
  const active = isActive(state);
  if (active && !connected) {
    return (
      <div className={css.bar} data-state="AWAY">
        <WifiOff size={16} strokeWidth={1.8} aria-hidden />
        <strong>{t('queries.run.away')}</strong>
        <span className={css.stage}>{t('queries.run.awayText')}</span>
      </div>
    );
  }
  const stage = detail && isStage(detail.stage) ? t(`queries.run.stage.${detail.stage}`) : '';
  const percent = detail?.percent ?? null;
  const rowsRead = detail && detail.rowsRead > 0;
  const said = active && percent !== null ? t('queries.run.said', { state: t(`queries.run.state.${state}`), percent: Math.floor(percent / 25) * 25 }) : t(`queries.run.state.${state}`);

  return (
    <div className={css.bar} data-state={state}>
      {ICONS[state]}
      <strong>{t(`queries.run.state.${state}`)}</strong>
      {active && stage ? <span className={css.stage}>{stage}</span> : null}
      {state === 'RUNNING' ? (
        <span className={css.progress}>
          <ProgressBar percent={percent} label={t('queries.run.progress')} />
        </span>
      ) : null}
      {state === 'RUNNING' && percent !== null ? <strong>{`${Math.floor(percent)}%`}</strong> : null}
      {state === 'RUNNING' ? <span>{elapsedText(elapsed)}</span> : null}
      {!active ? <span>{t('queries.run.in', { time: elapsedText(job.elapsedMs) })}</span> : null}
      {rowsRead ? (
        <span className={css.extra}>
          {active && detail.rowsTotal ? t('queries.run.rowsOf', { count: detail.rowsTotal, rows: compact(detail.rowsRead), total: compact(detail.rowsTotal) }) : t('queries.run.rows', { count: detail.rowsRead, rows: compact(detail.rowsRead) })}
        </span>
      ) : null}
      {detail && detail.bytesRead > 0 ? <span className={css.extra}>{t('queries.run.bytes', { bytes: bytes(detail.bytesRead) })}</span> : null}
      <button type="button" className={css.log} aria-expanded={logShown} onClick={onLog}>
        {logShown ? t('queries.run.hideLog') : t('queries.run.log')}
      </button>
      {active ? <span className={css.leave}>{t('queries.run.leave')}</span> : null}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  );
}
