// Finding something to put into a project: among one's own and among what others published.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import type { Card } from '@/api/creations';
import { messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { SearchBox } from '../parts/search-box';
import css from './projects.module.css';

type Project = Schemas['ProjectView'];
const most = 20;

/** One's own first, then what others published; projects hold no projects. */
async function find(search: string, signal: AbortSignal): Promise<Card[]> {
  const query = { search, page: 1, size: most };
  const found = await Promise.all([
    call('get', '/api/creation/mine', { query, signal, quiet: true }),
    call('get', '/api/discover/dashboards', { query, signal, quiet: true }),
    call('get', '/api/discover/queries', { query, signal, quiet: true }),
  ]);
  const cards = found.flatMap(({ items }) => items).filter(({ kind }) => kind !== 'project');
  return [...new Map(cards.map((card) => [card.id, card])).values()];
}

interface AddItemProps {
  project: Project;
  onAdded: (project: Project) => void;
  onClose: () => void;
}

export function AddItem({ project, onAdded, onClose }: AddItemProps) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useQuery({ queryKey: ['cards', 'to add', search], queryFn: ({ signal }) => find(search, signal), placeholderData: keepPreviousData });
  const adding = useMutation({ mutationFn: (itemId: string) => call('post', '/api/project/item/add', { body: { id: project.id, itemId } }), onSuccess: onAdded });
  const inside = new Set(project.items.map(({ id }) => id));
  return (
    <Dialog title={t('community.project.add')} onClose={onClose} actions={<Button onClick={onClose}>{t('common.close')}</Button>}>
      <SearchBox value={search} label={t('community.project.find')} onChange={setSearch} />
      <ul className={css.found} aria-label={t('community.project.found')}>
        {data?.map((card) => (
          <li key={card.id}>
            <span className="ellipsis">
              {titleOf(card)} <small>{card.userName}</small>
            </span>
            <Tag>{t(`community.kinds.${card.kind}`)}</Tag>
            {inside.has(card.id) ? (
              <Check size={17} strokeWidth={2} aria-label={t('community.project.inside')} />
            ) : (
              <Button size="small" busy={adding.isPending && adding.variables === card.id} aria-label={t('community.project.addOne', { title: titleOf(card) })} onClick={() => adding.mutate(card.id)}>
                {t('community.project.put')}
              </Button>
            )}
          </li>
        )) ?? (
          <li>
            <Skeleton height="1.2em" width="60%" />
          </li>
        )}
      </ul>
      {error && !data ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : null}
      {data?.length === 0 ? <Empty title={t('common.noData')} /> : null}
    </Dialog>
  );
}
