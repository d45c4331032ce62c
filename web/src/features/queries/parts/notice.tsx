/** Small parts of the query page: a line above the editor (whose query this is, or that a newer text was saved), and the editor before it is there. */
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { Skeleton } from '@/ui/parts';
import type { Draft } from '../model/drafts';
import type { Saved } from '../model/use-saved';
import css from './workbench.module.css';

export function Notice({ draft, saved, onTake }: { draft: Draft; saved: Saved; onTake: () => void }) {
  const { t } = useTranslation();
  const { query } = saved;
  if (!query) return null;
  if (draft.viewing) {
    return (
      <div className={css.notice}>
        <span>{t('editors.view.by', { user: query.userName })}</span>
        {query.notes === '' ? null : <span className={css.noticeNotes}>{query.notes}</span>}
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

export function EditorSkeleton({ label }: { label: string }) {
  return (
    <div className={css.loading} role="status" aria-label={label}>
      {[40, 62, 30, 48, 20].map((share) => (
        <Skeleton key={share} height="0.8em" width={`${share}%`} />
      ))}
    </div>
  );
}
