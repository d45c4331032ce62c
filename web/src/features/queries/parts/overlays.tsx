/** What opens over the query page: details, history, comparing, a conflict, forking, and stopping a run. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { restoreRun, restoreVersion, type SavedQuery } from '@/api/queries';
import { savedQuery } from '@/lib/paths';
import type { EditorLanguage } from '@/ui/editor/language';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/ui/notices';
import { lazyPart, Part } from '@/ui/part';
import { comparable, textOf, type Draft } from '../model/drafts';
import type { Run } from '../model/use-run';
import type { Saved } from '../model/use-saved';
import { Decoder } from '../decoder';
import { ConflictDialog } from './conflict-dialog';
import { ForkDialog } from './fork-dialog';
import type { Compared } from './history-drawer';

const DetailsDialog = lazyPart(() => import('./details-dialog').then(({ DetailsDialog: component }) => ({ default: component })));
const HistoryDrawer = lazyPart(() => import('./history-drawer').then(({ HistoryDrawer: component }) => ({ default: component })));
const CompareDialog = lazyPart(() => import('./compare-dialog').then(({ CompareDialog: component }) => ({ default: component })));

export type Overlay = 'details' | 'history' | 'fork' | 'decoder' | null;

interface OverlaysProps {
  draft: Draft;
  saved: Saved;
  visitor: boolean;
  language: EditorLanguage;
  overlay: Overlay;
  /** The text as it is in the editor now. */
  text: () => string;
  onClose: () => void;
  onTake: (query: SavedQuery) => void;
}

export function Overlays({ draft, saved, visitor, language, overlay, text, onClose, onTake }: OverlaysProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [compared, setCompared] = useState<Compared | null>(null);
  const { query, conflict } = saved;
  const restore = useMutation({
    mutationFn: (restored: () => Promise<SavedQuery>) => restored(),
    onSuccess: (next) => {
      onTake(next);
      // What was restored is under the drawer.
      onClose();
      void client.invalidateQueries({ queryKey: ['history', next.id] });
      notify.success(t('editors.history.restored'));
    },
  });
  const gone = () => {
    setCompared(null);
    onClose();
  };
  const restoreOnce = (restored: () => Promise<SavedQuery>) => {
    if (!restore.isPending) restore.mutate(restored);
  };
  const restoreTo = (version: number) => query && restoreOnce(() => restoreVersion(query.id, version));
  const restoreText = (jobId: string) => query && restoreOnce(() => restoreRun(query.id, jobId));

  return (
    <Part of={[overlay, compared, conflict]} onGone={gone}>
      {overlay === 'decoder' ? <Decoder onClose={onClose} /> : null}
      {/* What is saved has to be there first: it would be saved again without its notes and its tags. */}
      {overlay === 'details' && (draft.query === null || query) ? (
        <DetailsDialog
          draft={draft}
          saved={saved}
          onClose={onClose}
          onCreated={(id) => {
            onClose();
            void navigate(savedQuery(id), { replace: true });
          }}
        />
      ) : null}
      {overlay === 'history' && query ? <HistoryDrawer query={query} share={draft.viewing?.share ?? null} visitor={visitor} editable={saved.editable && !visitor} onClose={onClose} onCompare={setCompared} onRestoreVersion={restoreTo} onRestoreRun={restoreText} /> : null}
      {overlay === 'fork' && query ? <ForkDialog query={query} onClose={onClose} /> : null}
      {compared ? <CompareDialog other={compared} text={comparable({ ...textOf(draft), text: text() })} language={language} editable={saved.editable && !visitor} onClose={() => setCompared(null)} /> : null}
      {conflict && !compared ? (
        <ConflictDialog
          theirs={conflict}
          saving={saved.saving}
          onCompare={() => setCompared({ title: t('editors.conflict.theirText'), text: comparable(conflict.what), restore: () => onTake(conflict) })}
          onTheirs={() => onTake(conflict)}
          onMine={() => saved.save(conflict)}
          onClose={saved.settle}
        />
      ) : null}
    </Part>
  );
}

/** Asks before a run is stopped: what it did so far is lost. */
export function StopDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useTranslation();
  const percent = run.job?.detail?.percent;
  return (
    <Dialog
      title={t('queries.run.killTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('queries.run.keep')}</Button>
          <Button
            kind="danger"
            busy={run.killing}
            onClick={() => {
              run.kill();
              onClose();
            }}
          >
            {t('queries.run.kill')}
          </Button>
        </>
      }
    >
      {typeof percent === 'number' ? t('queries.run.killText', { percent: Math.floor(percent) }) : t('queries.run.killTextUnknown')}
    </Dialog>
  );
}
