// The tags that the person gave: what carries them, since when; adding and taking away.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, type Schemas } from '@/api/call';
import { pageOf, type Card } from '@/api/creations';
import { messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { shortHex } from '@/lib/format';
import { readPaging, turned, usualSize, type Paging } from '@/lib/paging';
import { addressOf, creatorOf } from '@/lib/paths';
import { Button, IconButton } from '@/ui/button';
import { Age, TagLink } from '@/ui/creation-row';
import { useInPage } from '@/ui/in-page';
import { notify } from '@/ui/notices';
import { Pages } from '@/ui/pages';
import { Beyond, Empty, Failed, Skeleton, Tag } from '@/ui/parts';
import { useMineOf } from '../api';
import page from '../parts/page.module.css';
import { AddTag } from './add-tag';
import css from './tags.module.css';

type Row = Schemas['TagRow'];
export type TagEntity = Schemas['EntityKind'];

/** What the list is called in the address. */
const part = 'mine';

export function MyTags() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [address, setAddress] = useInPage();
  const paging = readPaging(address, usualSize, part);
  const turn = (next: Paging) => setAddress(turned(address, next, usualSize, part));
  const [adding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery({ queryKey: ['tags', 'mine', paging], queryFn: ({ signal }) => call('get', '/api/tag/mine', { query: { ...paging }, signal, quiet: true }), placeholderData: keepPreviousData });
  const creations = (data?.items ?? []).filter(isCreation).map(({ entityId }) => entityId);
  const cards = useMineOf([...new Set(creations)].sort()).data ?? [];
  const changed = () => client.invalidateQueries({ queryKey: ['tags'] });
  const tagging = ({ entity, entityId, tag }: Row) => ({ body: { entity: entity as TagEntity, id: entityId, tag } });
  const removing = useMutation({
    mutationFn: (row: Row) => call('post', '/api/tag/remove', tagging(row)),
    onSuccess: (_, row) => {
      // A refusal is told by the popup.
      notify.undo(t('community.tag.removed', { tag: row.tag }), () => void call('post', '/api/tag/add', tagging(row)).then(changed).catch(() => undefined));
      return changed();
    },
  });
  return (
    <section className={`${page.card ?? ''} ${css.mine ?? ''}`}>
      <header>
        <h2>{t('community.tag.mine')}</h2>
        <Button size="small" icon={<Plus size={16} strokeWidth={1.6} />} onClick={() => setAdding(true)}>
          {t('community.tag.add')}
        </Button>
      </header>
      {error && !data ? (
        <Failed message={messageOf(error)} onRetry={() => void refetch()} />
      ) : data?.items.length === 0 && paging.page > 1 ? (
        <Beyond onFirst={() => turn({ ...paging, page: 1 })} />
      ) : data?.items.length === 0 ? (
        <Empty title={t('common.noData')}>{t('community.tag.none')}</Empty>
      ) : (
        <table className={css.table} aria-busy={!data}>
          <thead>
            <tr>
              <th scope="col">{t('community.tag.tag')}</th>
              <th scope="col">{t('community.tag.entity')}</th>
              <th scope="col">{t('community.tag.what')}</th>
              <th scope="col">{t('community.tag.time')}</th>
              <th scope="col">
                <span className="visually-hidden">{t('community.tag.remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.items.map((row) => (
              <tr key={`${row.entity} ${row.entityId} ${row.tag}`}>
                <td>
                  <TagLink tag={row.tag} />
                </td>
                <td>
                  <Tag>{t(`community.entities.${row.entity as TagEntity}`)}</Tag>
                </td>
                <td className={css.what}>
                  <What row={row} card={cards.find(({ id }) => id === row.entityId)} />
                </td>
                <td>
                  <Age ms={row.updateTime} />
                </td>
                <td>
                  <IconButton size="small" label={t('community.tag.removeOne', { tag: row.tag })} icon={<X size={15} strokeWidth={1.8} />} disabled={removing.isPending} onClick={() => removing.mutate(row)} />
                </td>
              </tr>
            )) ??
              Array.from({ length: 5 }, (_, at) => (
                <tr key={at}>
                  <td colSpan={5}>
                    <Skeleton height="1.1em" width={`${80 - ((at * 19) % 40)}%`} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      <Pages paging={paging} total={data?.total ?? 0} onChange={turn} />
      {adding && (
        <AddTag
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            void changed();
          }}
        />
      )}
    </section>
  );
}

const isCreation = ({ entity }: Row): boolean => entity !== 'user' && entity !== 'address';

/** What carries the tag, as a link to it; `card` is what is known of a creation. */
function What({ row: { entity, entityId }, card }: { row: Row; card: Card | undefined }) {
  const titleOf = useTitles();
  if (entity === 'user') return <Link to={creatorOf(entityId)}>{entityId}</Link>;
  if (entity === 'address') {
    return (
      <Link to={addressOf(entityId)} className="mono" title={entityId}>
        {shortHex(entityId)}
      </Link>
    );
  }
  const target = pageOf(card ?? { kind: entity as 'dashboard' | 'query' | 'project', id: entityId, queryId: null, visualizationType: null });
  const title = card ? titleOf(card) : entityId;
  return target === null ? title : <Link to={target}>{title}</Link>;
}
