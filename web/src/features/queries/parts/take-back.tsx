/** Before a right to a table is taken back: which published results of other people become unreadable with it. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { tableDependents, type UserTable } from '@/api/user-tables';
import { count } from '@/lib/format';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Failed, Skeleton } from '@/ui/parts';

interface TakeBackDialogProps {
  title: string;
  /** What happens to the table itself. */
  text: string;
  action: string;
  table: UserTable;
  /** Who loses the right; everybody when it is left out. */
  reader?: string;
  onConfirm: () => void;
  onClose: () => void;
}

export function TakeBackDialog({ title, text, action, table, reader, onConfirm, onClose }: TakeBackDialogProps) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['table dependents', table.table, reader ?? null],
    queryFn: ({ signal }) => tableDependents(table.table, reader, signal),
    // The number is of the moment in which the person decides.
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="danger" disabled={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {isPending ? <Skeleton height="3em" /> : null}
      {error ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : null}
      {data ? (
        <p role="status">{data.results === 0 ? t('editors.tables.noDependents') : t('editors.tables.dependents', { count: data.results, results: count(data.results) })}</p>
      ) : null}
      {data ? <p>{t('editors.tables.copiesStay')}</p> : null}
    </Dialog>
  );
}
