// What a person sees when a call fails: a popup, a warning, or the end of the login.
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf, type ApiError } from '@/api/error';
import { onFailure } from '@/api/request';
import { isAuthPage } from '@/lib/guard';
import { inTime } from '@/lib/loading';
import { paths } from '@/lib/paths';
import { clearSession, getSession, onSession } from '@/lib/session';
import { createStore, useStore } from '@/lib/store';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/ui/notices';
import { lazyPart, Part } from '@/ui/part';

type Interruption = 'expired' | 'refused';

const interruption = createStore<Interruption | null>(null);
/** Where its code can't be had, such as after an update of the server, the plain dialog is left, which leads home. */
const LogInAgain = lazyPart(() =>
  inTime(() => import('@/features/session/again')).then(
    (module) => ({ default: module.LogInAgain }),
    () => ({ default: Leave }),
  ),
);

/** Starts showing failures. Call once. */
export function startFailures(): void {
  onFailure(showFailure);
}

function showFailure(error: ApiError, quiet: boolean): void {
  // However many calls fail together, the login ends once; and an ended login explains a refusal.
  if (error.expired) interruption.set('expired');
  else if (error.authentication) interruption.set((now) => now ?? 'refused');
  else if (!quiet && error.code !== 'network' && !isAuthPage(location.pathname)) notify.error(messageOf(error));
}

export function Interruptions() {
  const { t } = useTranslation();
  const shown = useStore(interruption);
  // Logged in again, here or in another tab, there is nothing left to answer.
  useEffect(() => {
    let { token } = getSession();
    return onSession(() => {
      if (getSession().token === token) return;
      token = getSession().token;
      interruption.set(null);
    });
  }, []);
  if (shown === null) return null;

  const leave = () => {
    clearSession();
    location.assign(paths.home);
  };
  const dismiss = () => {
    clearSession();
    interruption.set(null);
  };
  return shown === 'expired' ? (
    <Part waiting={<Leave onLeave={leave} />}>
      <LogInAgain onLeave={leave} />
    </Part>
  ) : (
    <Dialog
      alert
      title={t('session.refusedTitle')}
      actions={
        <Button kind="primary" onClick={dismiss}>
          {t('common.ok')}
        </Button>
      }
    >
      {t('session.refused')}
    </Dialog>
  );
}

function Leave({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      alert
      title={t('session.expiredTitle')}
      actions={
        <Button kind="primary" onClick={onLeave}>
          {t('session.leave')}
        </Button>
      }
    >
      {t('session.expired')}
    </Dialog>
  );
}
