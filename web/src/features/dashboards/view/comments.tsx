// Comments on a dashboard and the answers to them, in Markdown: whatever else stands in them is shown as text.
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { useTimeTexts } from '@/i18n/time';
import { loginPath } from '@/lib/guard';
import { useNow } from '@/lib/now';
import { useSession } from '@/lib/session';
import { createStore, useStore } from '@/lib/store';
import { formatMoment } from '@/lib/time';
import { Avatar } from '@/ui/avatar';
import { Button, ButtonLink, IconButton } from '@/ui/button';
import { eraseLater, useDoomed } from '@/ui/deletions';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { Markdown } from '@/ui/prose';
import type { Comment, Target } from '../api';
import css from './comments.module.css';

const LONGEST = 2_000;
const PAGE = 20;
/** Answers that are shown before somebody asks for all. */
const FOLDED = 2;

export function Comments({ target, total, onClose }: { target: Target; total: number; onClose: () => void }) {
  const { t } = useTranslation();
  const location = useLocation();
  const visitor = useSession().token === null;
  const key = ['comments', target.id, target.share];
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => call('get', '/api/dashboard/comment/list', { query: { id: target.id, share: target.share, page: pageParam, size: PAGE }, signal, quiet: true }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * PAGE < last.total ? all.length + 1 : undefined),
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section className={css.panel} aria-label={t('dashboards.comments.title')}>
      <header className={css.head}>
        <h2>
          {t('dashboards.comments.title')} <span>{total}</span>
        </h2>
        <IconButton size="small" label={t('common.close')} icon={<X size={18} strokeWidth={1.6} />} onClick={onClose} />
      </header>
      {/* It scrolls, so the keyboard has to be able to reach it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.list} tabIndex={0} role="group" aria-label={t('dashboards.comments.title')}>
        {list.error && !list.data ? (
          <Failed message={messageOf(list.error)} onRetry={() => void list.refetch()} />
        ) : !list.data ? (
          <Skeleton height="6em" />
        ) : items.length === 0 ? (
          <Empty title={t('dashboards.comments.none')}>{t('dashboards.comments.first')}</Empty>
        ) : (
          <ul>
            {items.map((comment) => (
              <Thread key={comment.id} comment={comment} target={target} canAnswer={!visitor} />
            ))}
          </ul>
        )}
        {list.hasNextPage ? (
          <Button size="small" block busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('dashboards.comments.older')}
          </Button>
        ) : null}
      </div>
      <footer className={css.foot}>
        {visitor ? (
          <p className={css.visitor}>
            {t('dashboards.comments.visitor')}
            <ButtonLink size="small" kind="primary" to={loginPath(location)}>
              {t('session.logIn')}
            </ButtonLink>
          </p>
        ) : (
          <Form target={target} parentId={null} label={t('dashboards.comments.write')} action={t('dashboards.comments.send')} />
        )}
      </footer>
    </section>
  );
}

function Thread({ comment, target, canAnswer }: { comment: Comment; target: Target; canAnswer: boolean }) {
  const { t } = useTranslation();
  const [answering, setAnswering] = useState(false);
  const [open, setOpen] = useState(false);
  const replies = open ? comment.replies : comment.replies.slice(-FOLDED);
  const hidden = comment.replies.length - replies.length;
  return (
    <li className={css.thread}>
      <One comment={comment} target={target} />
      <div className={css.actions}>
        {canAnswer ? (
          <button type="button" aria-expanded={answering} onClick={() => setAnswering(!answering)}>
            {t('dashboards.comments.reply')}
          </button>
        ) : null}
        {hidden > 0 ? (
          <button type="button" onClick={() => setOpen(true)}>
            {t('dashboards.comments.more', { count: hidden })}
          </button>
        ) : null}
      </div>
      {replies.length > 0 ? (
        <ul className={css.replies}>
          {replies.map((reply) => (
            <li key={reply.id}>
              <One comment={reply} target={target} />
            </li>
          ))}
        </ul>
      ) : null}
      {answering ? <Form target={target} parentId={comment.id} label={t('dashboards.comments.replyTo', { name: comment.userName })} action={t('dashboards.comments.reply')} onDone={() => setAnswering(false)} /> : null}
    </li>
  );
}

function One({ comment, target }: { comment: Comment; target: Target }) {
  const { t } = useTranslation();
  const { ago } = useTimeTexts();
  const now = useNow(30_000);
  const refresh = useRefresh(target);
  const { id, userName, createTime } = comment;
  const written = t('shell.blockTime', { time: formatMoment(createTime) });
  const doomedId = `comment ${id}`;
  const removed = useDoomed().has(doomedId) || comment.removed;
  const removeLater = () => eraseLater({ id: doomedId, erase: (leaving) => call('post', '/api/dashboard/comment/delete', { body: { id }, keepalive: leaving }) }, t('dashboards.comments.deleted'), { gone: refresh });
  return (
    <article className={css.comment} aria-label={t('dashboards.comments.by', { name: userName })}>
      <div className={css.by}>
        <Avatar name={userName} picture={comment.headPhoto} />
        <strong className="ellipsis">{userName}</strong>
        <time dateTime={new Date(createTime).toISOString()} title={written}>
          {ago(createTime, now) ?? written}
        </time>
        {comment.removable && !removed ? <IconButton size="small" label={t('dashboards.comments.remove', { name: userName })} icon={<Trash2 size={14} strokeWidth={1.6} />} onClick={removeLater} /> : null}
      </div>
      {removed ? <p className={css.removed}>{t('dashboards.comments.removed')}</p> : <Markdown text={comment.content} short />}
    </article>
  );
}

function useRefresh({ id, share }: Target) {
  const client = useQueryClient();
  return () => Promise.all([client.invalidateQueries({ queryKey: ['comments', id, share] }), client.invalidateQueries({ queryKey: ['dashboard', id] })]);
}

/** What is written and not sent yet, of each person for each thread: closing the panel or leaving the page must not lose it. */
const drafts = createStore<Readonly<Record<string, string>>>({});

interface FormProps {
  target: Target;
  parentId: string | null;
  label: string;
  action: string;
  onDone?: () => void;
}

function Form({ target, parentId, label, action, onDone }: FormProps) {
  const { t } = useTranslation();
  const id = useId();
  const me = useSession().account?.id ?? '';
  const place = `${me} ${target.id} ${parentId ?? ''}`;
  const text = useStore(drafts)[place] ?? '';
  const setText = (next: string) => drafts.set((now) => ({ ...now, [place]: next }));
  const refresh = useRefresh(target);
  const send = useMutation({
    mutationFn: (content: string) => call('post', '/api/dashboard/comment/create', { body: { id: target.id, content, parentId, share: target.share } }),
    onSuccess: async (_, content) => {
      // What was written while it was on its way stays.
      if (drafts.get()[place]?.trim() === content) {
        setText('');
        onDone?.();
      }
      await refresh();
    },
  });
  const length = Array.from(text.trim()).length;
  const fits = length > 0 && length <= LONGEST;
  const submit = () => {
    if (fits && !send.isPending) send.mutate(text.trim());
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <textarea
        id={id}
        rows={parentId === null ? 3 : 2}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      <div className={css.formFoot}>
        <span data-over={length > LONGEST}>{length > LONGEST ? t('dashboards.comments.over', { count: length - LONGEST }) : length > LONGEST - 200 ? t('dashboards.comments.left', { count: LONGEST - length }) : t('dashboards.comments.markdown')}</span>
        <Button type="submit" kind="primary" size="small" busy={send.isPending} disabled={!fits || send.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
