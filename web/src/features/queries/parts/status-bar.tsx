/** The line at the bottom: engine, time zone, cursor, errors, and that nothing written is lost. */
import { CircleCheck, CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { EditorCursor } from '@/ui/editor/editor';
import css from './status-bar.module.css';

export function StatusBar({ cursor, failed, visitor }: { cursor: EditorCursor; failed: boolean; visitor: boolean }) {
  const { t } = useTranslation();
  return (
    <footer className={css.bar}>
      <span className={css.wide}>{t('queries.status.engine')}</span>
      <span className={css.wide}>UTC</span>
      <span>{t('queries.status.place', { line: cursor.line, column: cursor.column })}</span>
      {cursor.selected > 0 ? <span>{t('queries.status.selected', { count: cursor.selected })}</span> : null}
      <span className={failed ? css.bad : css.ok}>
        {failed ? <CircleX size={14} strokeWidth={1.8} aria-hidden /> : <CircleCheck size={14} strokeWidth={1.8} aria-hidden />}
        {failed ? t('queries.status.errors') : t('queries.status.noErrors')}
      </span>
      {visitor ? null : <span className={css.kept}>{t('queries.status.kept')}</span>}
    </footer>
  );
}
