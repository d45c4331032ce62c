// The question on the way out of the editor while changes are not saved and nothing saves them by itself.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker, type Location } from 'react-router';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { isUnsaved } from '../model/save-state';
import type { Editor } from '../model/use-editor';

/** State of a navigation that gives the changes up, such as after the dashboard was deleted. */
export const givenUp = { givenUp: true } as const;

const givesUp = ({ state }: Location): boolean => typeof state === 'object' && state !== null && 'givenUp' in state;

export function LeaveQuestion({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const { autosave, save, saveNow } = editor;
  const asks = !autosave && isUnsaved(save.phase);
  // The preview shows what is not saved, too.
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => asks && to.pathname !== from.pathname && to.pathname !== paths.dashboardPreview && !givesUp(to));
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    if (saving && !asks && blocker.state === 'blocked') blocker.proceed();
  }, [saving, asks, blocker]);
  if (blocker.state !== 'blocked' || save.phase === 'conflict') return null;
  const stay = () => {
    setSaving(false);
    blocker.reset();
  };
  return (
    <Dialog
      alert
      title={t('dashboards.edit.leaveTitle')}
      onClose={stay}
      actions={
        <>
          <Button onClick={stay}>{t('common.cancel')}</Button>
          <Button onClick={() => blocker.proceed()}>{t('dashboards.edit.leave')}</Button>
          <Button
            kind="primary"
            busy={save.phase === 'saving'}
            onClick={() => {
              setSaving(true);
              saveNow();
            }}
          >
            {t('dashboards.edit.saveAndLeave')}
          </Button>
        </>
      }
    >
      <p>{save.phase === 'offline' ? t('dashboards.edit.offline') : save.phase === 'failed' ? t('dashboards.edit.failed', { message: save.message }) : t('dashboards.edit.leaveText')}</p>
    </Dialog>
  );
}
