// Who may read a creation: private, by link, or public; the link to copy, to make anew and to take back, and the frame for other sites.
import { useMutation, useQuery } from '@tanstack/react-query';
import { Globe, Link2, Lock, type LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { Button } from './button';
import { Dialog } from './dialog';
import { CopyButton, Failed, Skeleton } from './parts';
import { ShareSources } from './share-sources';
import css from './share.module.css';

type Visibility = Schemas['Visibility'];

/** What is shared. */
export interface Shared {
  readonly id: string;
  readonly title: string;
  readonly visibility: Visibility;
  /** Whether the reader may change who reads it. */
  readonly editable: boolean;
  /** The token by which the reader came here themselves. */
  readonly share?: string | null;
}

export interface ShareDialogProps {
  of: Shared;
  /** The address of its page, with a link's token or without. */
  path: (share: string | null) => string;
  /** The address of what other sites may show in a frame. */
  embed?: (share: string | null) => string;
  onChange: (visibility: Visibility) => void;
  onClose: () => void;
}

const choices: readonly { value: Visibility; icon: LucideIcon }[] = [
  { value: 'private', icon: Lock },
  { value: 'link', icon: Link2 },
  { value: 'public', icon: Globe },
];

export function ShareDialog({ of, path, embed, onChange, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const name = useId();
  const { id, visibility, editable } = of;
  const link = useQuery({
    queryKey: ['share link', id],
    queryFn: async ({ signal }) => (await call('get', '/api/creation/share/link', { query: { id }, signal, quiet: true })).share ?? null,
    enabled: editable && visibility === 'link',
  });
  const change = useMutation({
    mutationFn: async (next: Visibility) => {
      if (next === 'link') await call('post', '/api/creation/share/create', { body: { id } });
      else await call('post', '/api/creation/visibility/set', { body: { id, visibility: next } });
      return next;
    },
    onSuccess: async (next) => {
      onChange(next);
      if (next === 'link') await link.refetch();
    },
  });
  const token = editable ? (visibility === 'link' ? (link.data ?? null) : null) : (of.share ?? null);
  const open = visibility === 'public' || token !== null;
  const address = (where: string) => location.origin + where;
  return (
    <Dialog
      title={t('share.title', { title: of.title })}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('share.done')}
        </Button>
      }
    >
      {editable ? <ShareSources id={id} /> : null}
      {editable ? (
        <fieldset className={css.choices} disabled={change.isPending}>
          <legend className="visually-hidden">{t('share.who')}</legend>
          {choices.map(({ value, icon: Icon }) => (
            <label key={value} className={css.choice} data-chosen={visibility === value}>
              <input type="radio" name={name} value={value} checked={visibility === value} onChange={() => change.mutate(value)} />
              <Icon size={17} strokeWidth={1.6} aria-hidden />
              <span>
                <strong>{t(`share.${value}`)}</strong>
                <small>{t(`share.${value}Hint`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
      {link.error ? <Failed message={messageOf(link.error)} onRetry={() => void link.refetch()} /> : null}
      {editable && visibility === 'link' && link.isPending ? <Skeleton height="var(--h)" /> : null}
      {open ? (
        <>
          <Copied label={t('share.address')} text={address(path(token))} />
          {embed ? <Copied label={t('share.embed')} text={`<iframe src="${address(embed(token))}" width="100%" height="800" style="border:0" title="${quoted(of.title)}"></iframe>`} /> : null}
        </>
      ) : visibility === 'private' ? (
        <p className={css.note}>{t('share.onlyYou')}</p>
      ) : null}
      {editable && visibility === 'link' && token !== null ? (
        <div className={css.again}>
          <Button size="small" busy={change.isPending} onClick={() => change.mutate('link')}>
            {t('share.renew')}
          </Button>
          <Button size="small" kind="danger" busy={change.isPending} onClick={() => change.mutate('private')}>
            {t('share.revoke')}
          </Button>
        </div>
      ) : null}
    </Dialog>
  );
}

const quoted = (text: string): string => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

function Copied({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={css.copied}>
      <label htmlFor={id}>{label}</label>
      <div>
        <input id={id} readOnly value={text} onFocus={(event) => event.target.select()} />
        <CopyButton text={text} label={t('share.copy', { what: label })} />
      </div>
    </div>
  );
}
