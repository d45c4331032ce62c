// When the nodes appear: bars, a place in time to drag or to type, and playing.
import { Pause, Play } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '@/lib/time';
import { IconButton } from '@/ui/button';
import type { Timeline as Span } from '../look';
import css from './timeline.module.css';

interface Props {
  span: Span;
  /** Null: all of it. */
  at: number | null;
  onChange: (at: number | null) => void;
  playing: boolean;
  onPlay: (playing: boolean) => void;
}

const tickMs = 120;

export function Timeline({ span, at, onChange, playing, onPlay }: Props) {
  const { t } = useTranslation();
  const steps = span.steps.length;
  const most = Math.max(1, ...span.steps);
  const step = at === null ? steps : Math.round(((at - span.from) / (span.to - span.from)) * steps);
  const go = (next: number) => onChange(next >= steps ? null : span.from + (next / steps) * (span.to - span.from));

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      // At the end it starts again.
      onChange(step >= steps ? span.from : step + 1 >= steps ? null : span.from + ((step + 1) / steps) * (span.to - span.from));
    }, step >= steps ? 10 * tickMs : tickMs);
    return () => clearTimeout(timer);
  }, [playing, step, steps, span, onChange]);

  const shown = t('shell.blockTime', { time: formatTime(at ?? span.to) });
  return (
    <section className={css.timeline} aria-label={t('models.timeline')}>
      <IconButton kind="primary" label={t(playing ? 'models.pause' : 'models.play')} icon={playing ? <Pause size={16} strokeWidth={1.8} /> : <Play size={16} strokeWidth={1.8} />} onClick={() => onPlay(!playing)} />
      {/* It changes with every step: the slider tells it to who moves it. */}
      <output className={css.time} aria-live="off">
        {shown}
      </output>
      <div className={css.track}>
        <div className={css.bars} aria-hidden>
          {span.steps.map((nodes, index) => (
            <span key={index} data-past={index < step} style={{ height: `${nodes === 0 ? 2 : 10 + (90 * nodes) / most}%` }} />
          ))}
        </div>
        <input type="range" min={0} max={steps} step={1} value={step} aria-label={t('models.until')} aria-valuetext={shown} onChange={({ target }) => go(Number(target.value))} />
      </div>
    </section>
  );
}
