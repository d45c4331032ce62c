// What people tagged an address with; whoever is logged in adds tags and takes back their own.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { call } from '@/api/call';
import { cardsKey } from '@/api/favorites';
import { loginPath } from '@/lib/guard';
import { tagOf } from '@/lib/paths';
import { useSession } from '@/lib/session';
import { longestTag, tagProblem } from '@/lib/validate';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notices';
import { Card, Skeleton } from '@/ui/parts';
import css from './address.module.css';

/** More than a thing can have. */
const mostTags = 100;

interface AddressTagsProps {
  address: string;
  /** Undefined while they are on their way. */
  tags: readonly string[] | undefined;
}

export function AddressTags({ address, tags }: AddressTagsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const location = useLocation();
  const member = useSession().token !== null;
  const [text, setText] = useState('');
  const problem = text === '' ? null : tagProblem(text, tags);
  const own = useQuery({
    queryKey: ['tags', 'own of address', address],
    queryFn: async ({ signal }) => (await call('get', '/api/tag/mine', { query: { entity: 'address', id: address, size: mostTags }, signal, quiet: true })).items.map(({ tag }) => tag),
    enabled: member,
  });
  const body = (tag: string) => ({ body: { entity: 'address' as const, id: address, tag } });
  const changed = () => Promise.all([client.invalidateQueries({ queryKey: ['tags'] }), client.invalidateQueries({ queryKey: [cardsKey, 'address', address] })]);
  const adding = useMutation({
    mutationFn: (tag: string) => call('post', '/api/tag/add', body(tag)),
    onSuccess: (_, tag) => {
      // What was written while it was on its way, or before a removal was taken back, stays.
      setText((now) => (now.trim() === tag ? '' : now));
      return changed();
    },
  });
  const removing = useMutation({
    mutationFn: (tag: string) => call('post', '/api/tag/remove', body(tag)),
    onSuccess: (_, tag) => {
      notify.undo(t('community.tag.removed', { tag }), () => adding.mutate(tag));
      return changed();
    },
  });
  return (
    <Card title={t('community.project.tags')}>
      <div className={css.inside}>
        {tags === undefined ? (
          <Skeleton height="26px" width="60%" />
        ) : tags.length === 0 ? (
          <p className={css.note}>{t('community.address.noTags')}</p>
        ) : (
          <ul className={css.tags}>
            {tags.map((tag) => (
              <li key={tag}>
                <Link to={tagOf(tag)}>{tag}</Link>
                {own.data?.includes(tag) && (
                  <button type="button" aria-label={t('community.tag.removeOne', { tag })} disabled={removing.isPending} onClick={() => removing.mutate(tag)}>
                    <X size={13} strokeWidth={2} />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {member ? (
          <form
            className={css.add}
            onSubmit={(event) => {
              event.preventDefault();
              if (tagProblem(text, tags) === null) adding.mutate(text.trim());
            }}
          >
            <Field label={t('community.tag.add')} value={text} autoComplete="off" hint={t('common.tags.hint', { count: longestTag })} {...(problem === null ? {} : { error: t(`common.tags.${problem}`, { count: longestTag }) })} onChange={(event) => setText(event.target.value)} />
            <Button type="submit" size="large" busy={adding.isPending} disabled={text.trim() === '' || problem !== null}>
              {t('community.project.put')}
            </Button>
          </form>
        ) : (
          <p className={css.note}>
            <Link to={loginPath(location)}>{t('community.address.logIn')}</Link>
          </p>
        )}
      </div>
    </Card>
  );
}
