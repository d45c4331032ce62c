/** What the job said while it runs, its statements as headings; follows the end as long as nobody scrolls up. */
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { formatTime } from '@/lib/time';
import { useJobLog } from '@/live/use-job-log';
import { IconButton } from '@/ui/button';
import { CopyButton, Failed, Skeleton } from '@/ui/parts';
import css from './log-panel.module.css';

const NEAR_END = 24;
/** How the engine begins a line that starts a statement of a script or a step of a job. */
const STAGE = /^(Statement|Stage|Step) \d+ of \d+\b/;

interface LogPanelProps {
  jobId: string;
  active: boolean;
  /** Its lines come over the live connection. */
  tells: boolean;
  onClose: () => void;
}

export function LogPanel({ jobId, active, tells, onClose }: LogPanelProps) {
  const { t } = useTranslation();
  const log = useJobLog(jobId, active, tells);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const lines = log.data?.lines ?? [];
  const { length } = lines;
  useEffect(() => {
    if (follows.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [length]);
  const time = (ms: number) => formatTime(ms).slice(11);
  return (
    <div className={css.frame}>
      {/* The lines scroll, so the keyboard has to be able to reach them. */}
      <div
        ref={box}
        className={css.log}
        role="log"
        aria-label={t('queries.run.log')}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          follows.current = scrollTop + clientHeight >= scrollHeight - NEAR_END;
        }}
      >
        {log.isPending ? <Skeleton height="1em" width="40%" /> : null}
        {log.isError ? <Failed message={messageOf(log.error)} onRetry={() => void log.refetch()} /> : null}
        {length === 0 && log.data ? <p>{t('queries.run.logEmpty')}</p> : null}
        {lines.map((line, index) => (
          <div key={index} data-stage={STAGE.test(line.text)}>
            <time>{time(line.time)}</time> {line.text}
          </div>
        ))}
      </div>
      <div className={css.tools}>
        <CopyButton text={lines.map((line) => `${time(line.time)}  ${line.text}`).join('\n')} />
        <IconButton size="small" label={t('queries.run.hideLog')} icon={<X size={16} strokeWidth={1.6} />} onClick={onClose} />
      </div>
    </div>
  );
}
