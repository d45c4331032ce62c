// One project: what it is about and what is in it; its owner arranges, adds and takes out.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2, X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { call, type Schemas } from '@/api/call';
import type { Card } from '@/api/creations';
import { ApiError, messageOf } from '@/api/error';
import { cardsKey } from '@/api/favorites';
import { useLanguage } from '@/i18n';
import { useTitles } from '@/i18n/titles';
import { usePage } from '@/lib/page';
import { creatorOf, paths, projectOf } from '@/lib/paths';
import { Avatar } from '@/ui/avatar';
import { Button } from '@/ui/button';
import { Age, rows, RowsHead, TagLink, WaitingRows } from '@/ui/creation-row';
import { FavoriteButton } from '@/ui/favorite-button';
import { LinkId } from '@/ui/link-id';
import type { MenuItem } from '@/ui/menu';
import { notify } from '@/ui/notices';
import { Empty, Failed, Tag } from '@/ui/parts';
import { ShareButton } from '@/ui/share';
import { CreationItem } from '../parts/creation-item';
import { deleteLater } from '@/ui/deletions';
import page from '../parts/page.module.css';
import { useCardMenu } from '../parts/use-card-menu';
import { AddItem } from './add-item';
import { moved } from './model';
import { ProjectForm } from './project-form';
import css from './projects.module.css';

type Project = Schemas['ProjectView'];
const icon = { size: 16, strokeWidth: 1.6 } as const;

export function Component() {
  return <LinkId>{(id) => <Loaded key={id} id={id} />}</LinkId>;
}

function Loaded({ id }: { id: string }) {
  const { t } = useTranslation();
  const [address] = useSearchParams();
  const share = address.get('share') ?? undefined;
  const key = [cardsKey, 'project', id, share ?? null];
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => call('get', '/api/project/detail', { query: { id, share }, signal, quiet: true }) });
  usePage(useTitles()(data ?? { title: t('community.one.projects') }), useTrail());
  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound} replace />;
  if (error && !data) return <Failed message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <ul className={rows} aria-busy aria-label={t('common.loading')}>
        <WaitingRows count={5} />
      </ul>
    );
  }
  return <Shown project={data} share={share} cacheKey={key} />;
}

function useTrail() {
  const { t } = useTranslation();
  const name = t('shell.nav.projects');
  return useMemo(() => [{ title: name, to: paths.projects }], [name]);
}

function Shown({ project, share, cacheKey }: { project: Project; share: string | undefined; cacheKey: unknown[] }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const chinese = useLanguage() === 'zh';
  const navigate = useNavigate();
  const client = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'add' | null>(null);
  /** What was saved is newer than an answer that is still on its way. */
  const keep = (next: Project) => {
    void client.cancelQueries({ queryKey: cacheKey, exact: true });
    client.setQueryData(cacheKey, next);
  };
  const title = titleOf(project);
  const notes = (chinese && project.notesZh) || project.notes;
  const { id, editable, visibility, favorited, favorites } = project;
  return (
    <div className={page.page}>
      <header className={page.top}>
        <div>
          <h1>{title}</h1>
          <p className={css.about}>
            <Avatar name={project.userName} picture={project.headPhoto} />
            <Link to={creatorOf(project.userName)}>{project.userName}</Link>
            {visibility !== 'public' && <Tag tone="warn">{t(`common.card.${visibility}`)}</Tag>}
            {project.tags.map((tag) => (
              <TagLink key={tag} tag={tag} />
            ))}
            <span>{t('community.project.members', { count: project.members.length })}</span>
            <Age ms={project.updateTime} />
          </p>
        </div>
        <div className={page.actions}>
          <FavoriteButton framed title={title} marked={{ kind: 'project', id, favorited, favorites, share }} />
          <ShareButton of={{ id, title, visibility, editable, share: share ?? null }} path={(token) => projectOf(id) + (token === null ? '' : `&share=${encodeURIComponent(token)}`)} onChange={(next) => keep({ ...project, visibility: next })} />
          {editable && (
            <>
              <Button icon={<Pencil {...icon} />} onClick={() => setOpen('edit')}>
                {t('community.project.edit')}
              </Button>
              <Button
                kind="danger"
                icon={<Trash2 {...icon} />}
                onClick={() => {
                  deleteLater(client, { kind: 'project', id }, t('community.deleted', { title }));
                  void navigate(`${paths.projects}?of=me`);
                }}
              >
                {t('community.delete')}
              </Button>
            </>
          )}
        </div>
      </header>
      {notes !== '' && <p className={css.text}>{notes}</p>}
      <div className={css.itemsHead}>
        <h2>{t('common.card.items', { count: project.items.length })}</h2>
        {editable && (
          <Button size="small" icon={<Plus {...icon} />} onClick={() => setOpen('add')}>
            {t('community.project.add')}
          </Button>
        )}
      </div>
      <Items project={project} onChange={keep} onAdd={() => setOpen('add')} />
      {open === 'edit' && (
        <ProjectForm
          project={project}
          onClose={() => setOpen(null)}
          onSaved={(saved) => {
            keep(saved);
            setOpen(null);
          }}
        />
      )}
      {open === 'add' && <AddItem project={project} onAdded={keep} onClose={() => setOpen(null)} />}
    </div>
  );
}

/** Another order, and the project as it was before. */
interface Arranging {
  order: Card[];
  before: Project;
}

function Items({ project, onChange, onAdd }: { project: Project; onChange: (next: Project) => void; onAdd: () => void }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const common = useCardMenu();
  const { id, items, editable } = project;
  const latest = useRef<Card[] | null>(null);
  const arranging = useMutation({
    mutationFn: ({ order }: Arranging) => call('post', '/api/project/item/arrange', { body: { id, items: order.map((card) => card.id) } }),
    // One after the other: of two that are on their way at once, the first could come last.
    scope: { id: `arrange ${id}` },
    onSuccess: (next, { order }) => {
      // A later order is on its way already.
      if (latest.current === order) onChange(next);
    },
    onError: (_, { order, before }) => {
      if (latest.current === order) onChange(before);
    },
  });
  const arrange = (order: Card[]) => {
    latest.current = order;
    onChange({ ...project, items: order });
    arranging.mutate({ order, before: project });
  };
  const putBack = async (card: Card) => {
    await call('post', '/api/project/item/add', { body: { id, itemId: card.id } });
    onChange(await call('post', '/api/project/item/arrange', { body: { id, items: items.map((one) => one.id) } }));
  };
  const taking = useMutation({
    mutationFn: (card: Card) => call('post', '/api/project/item/remove', { body: { id, itemId: card.id } }),
    // A refusal is told by the popup.
    onSuccess: (next, card) => {
      onChange(next);
      notify.undo(t('community.project.taken', { title: titleOf(card) }), () => void putBack(card).catch(() => undefined));
    },
  });
  const menu = (card: Card, at: number): MenuItem[] => [
    ...common(card),
    ...(editable
      ? [
          ...(at > 0 ? [{ key: 'up', label: t('community.project.up'), icon: <ArrowUp {...icon} />, apart: true, onSelect: () => arrange(moved(items, at, -1)) }] : []),
          ...(at < items.length - 1 ? [{ key: 'down', label: t('community.project.down'), icon: <ArrowDown {...icon} />, apart: at === 0, onSelect: () => arrange(moved(items, at, 1)) }] : []),
          { key: 'remove', label: t('community.project.take'), icon: <X {...icon} />, onSelect: () => taking.mutate(card) },
        ]
      : []),
  ];
  if (items.length === 0) {
    return (
      <div className={page.card}>
        <Empty
          title={t('common.noData')}
          actions={
            editable && (
              <Button kind="primary" size="small" onClick={onAdd}>
                {t('community.project.add')}
              </Button>
            )
          }
        >
          {t('community.project.empty')}
        </Empty>
      </div>
    );
  }
  return (
    <ul className={rows} aria-busy={taking.isPending}>
      <RowsHead name={t('community.kinds.name')} />
      {items.map((card, at) => (
        <CreationItem key={card.id} card={card} menu={menu(card, at)} />
      ))}
    </ul>
  );
}
