// Buttons and links that look like buttons. Plain elements, so that the first pages stay light.
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router';
import css from './button.module.css';

type Kind = 'primary' | 'default' | 'text' | 'danger';
type Size = 'small' | 'default' | 'large';

interface Look {
  kind?: Kind;
  size?: Size;
  icon?: ReactNode;
  /** As wide as its container. */
  block?: boolean;
}

function classes({ kind = 'default', size = 'default', block }: Look, children: ReactNode): string {
  return [css.button, css[kind], size !== 'default' && css[size], block && css.block, children === undefined && css.iconOnly].filter(Boolean).join(' ');
}

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  type?: 'button' | 'submit';
  /** Work is under way: the button stays where it is, keeps the focus, and does nothing, also for Enter in its form. */
  busy?: boolean;
}

export function Button({ kind, size, icon, block, busy = false, type = 'button', children, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy}
      aria-disabled={busy ? true : undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={[classes({ kind, size, block }, children), className].filter(Boolean).join(' ')}
    >
      {busy ? <span className={css.spinner} aria-hidden /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  label: string;
  icon: ReactNode;
}

/** A button of one picture: its label is read out and shown on hover. */
export function IconButton({ label, ...rest }: IconButtonProps) {
  return <Button kind="text" {...rest} aria-label={label} title={label} />;
}

interface ButtonLinkProps extends Look {
  to: string;
  children: ReactNode;
  onClick?: () => void;
}

export function ButtonLink({ kind, size, icon, block, to, children, onClick }: ButtonLinkProps) {
  return (
    <Link to={to} onClick={onClick} className={classes({ kind, size, block }, children)}>
      {icon}
      {children}
    </Link>
  );
}
