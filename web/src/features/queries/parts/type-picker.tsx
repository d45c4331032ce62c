/** The chart types to choose from, as one group of radio buttons: arrow keys, Home and End move, Space chooses. */
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { vizTypes } from '@/viz/registry';
import type { VizId } from '@/viz/types';
import css from './builder.module.css';

interface TypePickerProps {
  chosen: VizId | undefined;
  disabled: boolean;
  onChoose: (type: VizId) => void;
}

const COLUMNS = 5;

export function TypePicker({ chosen, disabled, onChoose }: TypePickerProps) {
  const { t } = useTranslation();
  const group = useRef<HTMLDivElement>(null);
  const at = Math.max(0, vizTypes.findIndex((type) => type.id === chosen));

  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(group.current?.querySelectorAll<HTMLButtonElement>('[role="radio"]') ?? [])];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const last = buttons.length - 1;
    const steps: Record<string, number> = { ArrowRight: now + 1, ArrowLeft: now - 1, ArrowDown: now + COLUMNS, ArrowUp: now - COLUMNS, Home: 0, End: last };
    const step = steps[event.key];
    if (now < 0 || step === undefined) return;
    event.preventDefault();
    // Past the ends the row starts over; past the top and bottom the focus stays.
    const next = event.key === 'ArrowRight' || event.key === 'ArrowLeft' ? (step + buttons.length) % buttons.length : step < 0 || step > last ? now : step;
    buttons[next]?.focus();
    const type = vizTypes[next];
    // As with radio buttons everywhere: where one is chosen, moving chooses.
    if (type && chosen !== undefined && next !== now) onChoose(type.id);
  };

  return (
    // The keys belong to the buttons inside; the group only hears them.
    // eslint-disable-next-line jsx-a11y/interactive-supports-focus
    <div ref={group} className={css.types} role="radiogroup" aria-label={t('queries.builder.type')} onKeyDown={onKeyDown}>
      {vizTypes.map(({ id, icon: Icon }, index) => (
        <button key={id} type="button" role="radio" aria-checked={chosen === id} tabIndex={index === at ? 0 : -1} disabled={disabled} className={css.type} onClick={() => onChoose(id)}>
          <Icon size={18} strokeWidth={1.6} aria-hidden />
          {t(`viz.type.${id}`)}
        </button>
      ))}
    </div>
  );
}
