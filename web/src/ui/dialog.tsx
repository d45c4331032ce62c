// A modal window on the browser's own dialog, which keeps the focus inside; it gives it back.
import { useId, useRef, type ReactNode } from 'react';
import css from './dialog.module.css';
import { useReturnFocus } from './return-focus';
import { useShowModal } from './top-dialog';

interface DialogProps {
  title: string;
  children?: ReactNode;
  /** The buttons, the main one last. */
  actions?: ReactNode;
  /** Called by Escape and a click outside. Leave out where the person has to answer. */
  onClose?: () => void;
  /** For what is read: as wide as lines may be. */
  wide?: boolean;
  /** Interrupts the person, such as an expired login. */
  alert?: boolean;
}

export function Dialog({ title, children, actions, onClose, wide, alert }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  /** Whoever marks a text and lets the mouse go outside does not mean to leave. */
  const pressedOutside = useRef(false);
  useReturnFocus();
  useShowModal(ref);
  return (
    // The click is the mouse's way out beside Escape, which the dialog hears by itself.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className={css.dialog}
      data-wide={wide}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === ref.current;
      }}
      onClick={(event) => event.target === ref.current && pressedOutside.current && onClose?.()}
    >
      <div className={css.inside}>
        <h2 id={`${id}-title`}>{title}</h2>
        <div id={`${id}-body`} className={css.body}>
          {children}
        </div>
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}
