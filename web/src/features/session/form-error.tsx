// The message of a refused form, inside the form: the entrances show no popup.
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './session.module.css';

export function FormError({ children }: { children: ReactNode }) {
  return (
    <div className={css.error} role="alert">
      <CircleAlert size={18} strokeWidth={1.6} />
      <span>{children}</span>
    </div>
  );
}
