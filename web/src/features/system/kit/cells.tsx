// What stands in the tables' cells.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '@/lib/time';
import { Avatar } from '@/ui/avatar';
import css from './kit.module.css';

/** A moment in UTC; the column's head says so. */
export function Moment({ ms, missing }: { ms: number | null | undefined; missing?: string }) {
  const { t } = useTranslation();
  if (ms === null || ms === undefined) return <span className={css.soft}>{missing ?? t('system.kit.notYet')}</span>;
  return <time dateTime={new Date(ms).toISOString()}>{formatTime(ms)}</time>;
}

/** A moment as a file writes it. */
export const momentText = (ms: number | null | undefined): string => (ms === null || ms === undefined ? '' : formatTime(ms));

export function Person({ name }: { name: string }) {
  return (
    <span className={css.person}>
      <Avatar name={name} />
      <span>{name}</span>
    </span>
  );
}

/** A text that may be missing. */
export function Given({ text }: { text: string | null | undefined }) {
  const { t } = useTranslation();
  return text ? <>{text}</> : <span className={css.soft}>{t('system.kit.notSet')}</span>;
}

/** A value that does not apply to the row. */
export function None() {
  return <span className={css.soft}>–</span>;
}

/** What can be done with a row. */
export function Actions({ children }: { children: ReactNode }) {
  return <span className={css.actions}>{children}</span>;
}
