/** Asks whether to make a copy of one's own of a query, and goes there. */
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { forkQuery, type SavedQuery } from '@/api/queries';
import { loginPath } from '@/lib/guard';
import { savedQuery } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/ui/notices';

export function ForkDialog({ query, onClose }: { query: SavedQuery; onClose?: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const location = useLocation();
  const visitor = useSession().token === null;
  const [search] = useSearchParams();
  const fork = useMutation({
    mutationFn: () => forkQuery(query.id, search.get('share')),
    onSuccess: (made) => {
      notify.success(t('editors.fork.done', { title: made.title }));
      onClose?.();
      void navigate(savedQuery(made.id));
    },
  });
  const stay = onClose ?? (() => void navigate(savedQuery(query.id), { replace: true }));
  return (
    <Dialog
      title={t('editors.fork.title')}
      onClose={stay}
      actions={
        <>
          <Button onClick={stay}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={fork.isPending} onClick={() => (visitor ? void navigate(loginPath(location)) : fork.mutate())}>
            {visitor ? t('queries.result.logIn') : t('editors.fork.do')}
          </Button>
        </>
      }
    >
      {t('editors.fork.text', { title: query.title, user: query.userName })}
    </Dialog>
  );
}
