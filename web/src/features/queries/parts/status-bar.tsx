/** The line at the bottom: engine, time zone, cursor, errors, and where what is written is kept. */
import { CircleCheck, CircleX, CloudOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { holdDock } from '@/lib/dock-slot';
import { useStore, type Store } from '@/lib/store';
import type { EditorCursor } from '@/ui/editor/editor';
import { kept } from '../model/draft-keeper';
import css from './status-bar.module.css';

interface StatusBarProps {
  /** None where there is no text. */
  cursor: Store<EditorCursor> | null;
  failed: boolean;
  /** What is written here is kept. */
  own: boolean;
}

export function StatusBar({ cursor, failed, own }: StatusBarProps) {
  const { t } = useTranslation();
  const state = useStore(kept);
  return (
    <footer className={css.bar}>
      <span className={css.wide}>{t('queries.status.engine')}</span>
      <span className={css.wide}>UTC</span>
      {cursor ? <Place cursor={cursor} /> : null}
      <span className={failed ? css.bad : css.ok}>
        {failed ? <CircleX size={14} strokeWidth={1.8} aria-hidden /> : <CircleCheck size={14} strokeWidth={1.8} aria-hidden />}
        {failed ? t('queries.status.errors') : t('queries.status.noErrors')}
      </span>
      {own ? (
        <span className={css.kept} data-state={state}>
          {state === 'here' ? <CloudOff size={14} strokeWidth={1.8} aria-hidden /> : null}
          {t(`editors.kept.${state}`)}
        </span>
      ) : null}
      <span ref={holdDock} className={css.dock} />
    </footer>
  );
}

function Place({ cursor }: { cursor: Store<EditorCursor> }) {
  const { t } = useTranslation();
  const { line, column, selected } = useStore(cursor);
  return (
    <>
      <span>{t('queries.status.place', { line, column })}</span>
      {selected > 0 ? <span>{t('queries.status.selected', { count: selected })}</span> : null}
    </>
  );
}
