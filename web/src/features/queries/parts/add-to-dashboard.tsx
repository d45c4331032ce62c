/** Puts a saved chart on one of the person's dashboards, or on a new one. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LayoutDashboard, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { dashboardOf } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { Failed, Skeleton } from '@/ui/parts';
import { useRested } from '@/ui/search-text';
import { addToDashboard, newDashboardWith, runFirst } from '../model/place-chart';
import css from './add-to-dashboard.module.css';

const MOST = 30;

interface AddToDashboardProps {
  visualizationId: string;
  title: string;
  /** The saved query whose chart it is. */
  query: { id: string; title: string } | undefined;
  onClose: () => void;
}

export function AddToDashboard({ visualizationId, title, query, onClose }: AddToDashboardProps) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const client = useQueryClient();
  const [search, setSearch] = useState('');
  const words = useRested(search);
  const { data, error, refetch } = useQuery({
    queryKey: ['my creations', 'dashboard', words],
    queryFn: ({ signal }) => call('get', '/api/creation/mine', { query: { kind: 'dashboard', search: words, page: 1, size: MOST }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  // Of a chart that nobody has named a dashboard has no name either.
  const named = search.trim() || (query?.title ?? title);
  const adding = useMutation({
    mutationFn: async (id: string | null) => {
      const board = await (id === null ? newDashboardWith(named, visualizationId) : addToDashboard(id, visualizationId));
      // The chart is on it either way; its card tells when there is nothing to show, and runs the query.
      if (query) await runFirst(query.id).catch((cause: unknown) => console.warn('The query of the chart could not be run', cause));
      return board;
    },
    onSuccess: ({ id }) => Promise.all([client.invalidateQueries({ queryKey: ['dashboard', id] }), client.invalidateQueries({ queryKey: ['my dashboards'] })]),
  });
  const added = adding.data;
  if (added) {
    return (
      <Dialog
        title={t('editors.toDashboard.title')}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{t('common.close')}</Button>
            <ButtonLink kind="primary" to={dashboardOf(added.id)}>
              {t('editors.toDashboard.open')}
            </ButtonLink>
          </>
        }
      >
        <p role="status">{t('editors.toDashboard.added', { title, dashboard: titleOf(added) })}</p>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('editors.toDashboard.title')} onClose={onClose} actions={<Button onClick={onClose}>{t('common.cancel')}</Button>}>
      <div className={css.choose}>
        <Field label={t('editors.toDashboard.search')} value={search} maxLength={100} onChange={(event) => setSearch(event.target.value)} />
        {adding.error ? (
          <p className={css.failed} role="alert">
            {messageOf(adding.error)}
          </p>
        ) : null}
        {error && !data ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : null}
        <ul className={css.list} aria-busy={!data}>
          <li>
            <button type="button" disabled={adding.isPending} onClick={() => adding.mutate(null)}>
              <Plus size={16} strokeWidth={1.6} aria-hidden />
              <span className="ellipsis">{t('editors.toDashboard.make', { title: named })}</span>
            </button>
          </li>
          {data?.items.map((card) => (
            <li key={card.id}>
              <button type="button" disabled={adding.isPending} aria-busy={adding.isPending && adding.variables === card.id} onClick={() => adding.mutate(card.id)}>
                <LayoutDashboard size={16} strokeWidth={1.6} aria-hidden />
                <span className="ellipsis">{titleOf(card)}</span>
              </button>
            </li>
          )) ?? (
            <li>
              <Skeleton height="1.2em" width="60%" />
            </li>
          )}
        </ul>
      </div>
    </Dialog>
  );
}
