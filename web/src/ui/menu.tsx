// A button that opens a list of actions, by the menu-button pattern: arrows, Home, End, first letters, Escape.
import { Fragment, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import css from './menu.module.css';

export interface MenuItem {
  key: string;
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  /** Draws a line above. */
  apart?: boolean;
}

interface MenuProps {
  items: MenuItem[];
  label: string;
  className?: string;
  /** Where the list opens. */
  side?: 'below' | 'above';
  align?: 'start' | 'end';
  head?: ReactNode;
  /** There is nothing to choose now. */
  disabled?: boolean;
  children: ReactNode;
}

export function Menu({ items, label, className, side = 'below', align = 'end', head, disabled = false, children }: MenuProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => {
    if (!open) return;
    entries()[0]?.focus();
    const outside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [open]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    const all = entries();
    const now = all.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: all.length - 1 };
    const step = steps[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setOpen(false);
    else if (step !== undefined) all.at(step % all.length)?.focus();
    else if (event.key.length === 1) {
      const letter = event.key.toLowerCase();
      [...all.slice(now + 1), ...all].find((entry) => entry.textContent.trim().toLowerCase().startsWith(letter))?.focus();
    } else return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  };

  return (
    // The keys belong to the menu inside; the wrapper only hears them.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={root} className={css.root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={className}
        disabled={disabled}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        title={open ? undefined : label}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (!open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
            event.preventDefault();
            setOpen(true);
          }
        }}
      >
        {children}
      </button>
      {open && (
        <div className={css.list} data-side={side} data-align={align}>
          {head !== undefined && <div className={css.head}>{head}</div>}
          <div id={id} role="menu" aria-label={label}>
            {items.map((item) => (
              <Fragment key={item.key}>
              {item.apart && <hr className={css.apart} />}
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={css.item}
                onClick={() => {
                  close();
                  item.onSelect();
                }}
              >
                {item.icon}
                {item.label}
              </button>
              </Fragment>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
