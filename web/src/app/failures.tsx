// What a person sees when a call fails: a popup, a warning, or the end of the login.
import { useTranslation } from 'react-i18next';
import { messageOf, type ApiError } from '@/api/error';
import { onFailure } from '@/api/request';
import { isAuthPage } from '@/lib/guard';
import { paths } from '@/lib/paths';
import { clearSession } from '@/lib/session';
import { createStore, useStore } from '@/lib/store';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/ui/notices';

type Interruption = 'expired' | 'refused';

const interruption = createStore<Interruption | null>(null);

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
    <Dialog alert title={t('session.expiredTitle')} actions={<OkButton onClick={leave} />}>
      {t('session.expired')}
    </Dialog>
  ) : (
    <Dialog alert title={t('session.refusedTitle')} actions={<OkButton onClick={dismiss} />}>
      {t('session.refused')}
    </Dialog>
  );
}

function OkButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button kind="primary" onClick={onClick}>
      {t('common.ok')}
    </Button>
  );
}
