/** Small parts of the query page: lines above the editor (whose query this is, that a newer text was saved, that here it only reads), and the editor before it is there. */
import { useTranslation } from 'react-i18next';
import { useTitles } from '@/i18n/titles';
import { Button, ButtonLink } from '@/ui/button';
import { paths } from '@/lib/paths';
import { Empty, Skeleton } from '@/ui/parts';
import type { Draft } from '../model/drafts';
import type { Saved } from '../model/use-saved';
import css from './workbench.module.css';

export function Notice({ draft, saved, onTake }: { draft: Draft; saved: Saved; onTake: () => void }) {
  const { t } = useTranslation();
  const inLanguage = useTitles();
  const { query } = saved;
  if (!query) return null;
  if (draft.viewing) {
    const notes = inLanguage({ title: query.notes, titleZh: query.notesZh ?? null });
    return (
      <div className={css.notice}>
        <span>{t('editors.view.by', { user: query.userName })}</span>
        {notes === '' ? null : <span className={css.noticeNotes}>{notes}</span>}
      </div>
    );
  }
  return (
    <div className={css.notice} data-tone="warn" role="status">
      <span>{t('editors.conflict.newer')}</span>
      <Button size="small" onClick={onTake}>
        {t('editors.conflict.theirs')}
      </Button>
    </div>
  );
}

/** Above an editor that has too little room to write in. */
export function NarrowNotice() {
  const { t } = useTranslation();
  return (
    <p className={css.notice} role="note">
      {t('queries.editor.narrow')}
    </p>
  );
}

export function EditorSkeleton({ label }: { label: string }) {
  return (
    <div className={css.loading} role="status" aria-label={label}>
      {[40, 62, 30, 48, 20].map((share) => (
        <Skeleton key={share} height="0.8em" width={`${share}%`} />
      ))}
    </div>
  );
}

/** In place of rows for who is not logged in and has none to see. */
export function VisitorPrompt({ login }: { login: string }) {
  const { t } = useTranslation();
  return (
    <Empty
      title={t('queries.result.visitorTitle')}
      actions={
        <>
          <ButtonLink kind="primary" size="small" to={login}>
            {t('queries.result.logIn')}
          </ButtonLink>
          <ButtonLink size="small" to={paths.register}>
            {t('queries.result.signUp')}
          </ButtonLink>
        </>
      }
    >
      {t('queries.result.visitorText')}
    </Empty>
  );
}
