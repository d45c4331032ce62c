/** A line between two panes that can be dragged, and moved with the arrow keys. */
import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import css from './splitter.module.css';

interface SplitterProps {
  label: string;
  /** `vertical` stands between two panes side by side. */
  orientation: 'vertical' | 'horizontal';
  /** Size of the pane it belongs to, in pixels of the design (hundredths of a rem). */
  value: number;
  min: number;
  max: number;
  /** Dragging towards the end of the page makes the pane smaller. */
  reversed?: boolean;
  onChange: (value: number) => void;
}

const STEP = 16;
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 100;

export function Splitter({ label, orientation, value, min, max, reversed = false, onChange }: SplitterProps) {
  const start = useRef<{ at: number; value: number } | null>(null);
  const sign = reversed ? -1 : 1;
  const place = (event: PointerEvent) => (orientation === 'vertical' ? event.clientX : event.clientY);
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));

  const onKeyDown = (event: KeyboardEvent) => {
    const [less, more] = orientation === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const moves: Partial<Record<string, number>> = { [less]: value - sign * STEP, [more]: value + sign * STEP, Home: min, End: max };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };

  return (
    // A separator that can be moved is a widget by the ARIA pattern, which the rule does not know.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={css.splitter}
      data-orientation={orientation}
      role="separator"
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: place(event), value };
      }}
      onPointerMove={(event) => {
        if (start.current) set(start.current.value + (sign * (place(event) - start.current.at)) / rem());
      }}
      onPointerUp={() => {
        start.current = null;
      }}
    />
  );
}
