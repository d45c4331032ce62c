/** What the job said while it ran; follows its end. */
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { formatTime } from '@/lib/time';
import { Failed, Skeleton } from '@/ui/parts';
import { useJobLog } from '../api';
import css from './log-panel.module.css';

export function LogPanel({ jobId, active }: { jobId: string; active: boolean }) {
  const { t } = useTranslation();
  const log = useJobLog(jobId, active);
  const end = useRef<HTMLDivElement>(null);
  const lines = log.data?.lines;
  const length = lines?.length ?? 0;
  useEffect(() => {
    // Braces: newer browsers answer a promise, which React would take for a clean-up.
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [length]);
  return (
    // The lines scroll, so the keyboard has to be able to reach them.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.log} role="log" aria-label={t('queries.run.log')} tabIndex={0}>
      {log.isPending ? <Skeleton height="1em" width="40%" /> : null}
      {log.isError ? <Failed message={messageOf(log.error)} onRetry={() => void log.refetch()} /> : null}
      {length === 0 && log.data ? <p>{t('queries.run.logEmpty')}</p> : null}
      {lines?.map((line, index) => (
        <div key={index}>
          <time>{formatTime(line.time).slice(11)}</time> {line.text}
        </div>
      ))}
      <div ref={end} />
    </div>
  );
}
