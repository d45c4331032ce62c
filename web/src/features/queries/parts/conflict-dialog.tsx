/** Somebody saved the query in the meantime: look at what differs, and choose which of both holds. */
import { useTranslation } from 'react-i18next';
import type { SavedQuery } from '@/api/queries';
import { formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';

interface ConflictDialogProps {
  theirs: SavedQuery;
  /** It is being saved: once more would be saved on what the first has replaced. */
  saving: boolean;
  onCompare: () => void;
  onTheirs: () => void;
  onMine: () => void;
  onClose: () => void;
}

export function ConflictDialog({ theirs, saving, onCompare, onTheirs, onMine, onClose }: ConflictDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('editors.conflict.title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onCompare}>{t('editors.history.compare')}</Button>
          <Button onClick={onTheirs}>{t('editors.conflict.theirs')}</Button>
          <Button kind="primary" busy={saving} onClick={onMine}>
            {t('editors.conflict.mine')}
          </Button>
        </>
      }
    >
      {t('editors.conflict.text', { time: formatTime(theirs.updateTime) })}
    </Dialog>
  );
}
