// Somebody saved the dashboard in between: whose state stays is the person's to choose.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import type { Editor } from '../model/use-editor';

export function ConflictDialog({ editor, onCopied }: { editor: Editor; onCopied: (id: string) => void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { theirs } = editor.save;
  if (!theirs) return null;
  const copy = () => {
    setBusy(true);
    editor.makeCopy(t('dashboards.edit.copyOf', { title: editor.document.title })).then(onCopied, () => setBusy(false));
  };
  return (
    <Dialog
      alert
      title={t('dashboards.edit.conflictTitle')}
      actions={
        <>
          <Button busy={busy} onClick={copy}>
            {t('dashboards.edit.keepCopy')}
          </Button>
          <Button onClick={editor.takeTheirs}>{t('dashboards.edit.takeTheirs')}</Button>
          <Button kind="primary" onClick={editor.keepMine}>
            {t('dashboards.edit.keepMine')}
          </Button>
        </>
      }
    >
      <p>{t('dashboards.edit.conflict', { time: formatTime(theirs.updateTime), title: theirs.title, count: theirs.content.widgets?.length ?? 0 })}</p>
    </Dialog>
  );
}
