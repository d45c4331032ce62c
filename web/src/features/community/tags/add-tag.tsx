// Giving a tag: to a creation of one's own, to oneself, or to any address.
import { useMutation } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { isAddress } from '@/lib/address';
import { useSession } from '@/lib/session';
import { longestTag, tagProblem } from '@/lib/validate';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { useRested } from '@/ui/search-text';
import { useMine } from '../api';
import type { TagEntity } from './my-tags';
import css from './tags.module.css';

const entities: readonly TagEntity[] = ['address', 'dashboard', 'query', 'project', 'user'];

export function AddTag({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const me = useSession().account?.name ?? '';
  const [entity, setEntity] = useState<TagEntity>('address');
  const [chosen, setChosen] = useState('');
  const [tag, setTag] = useState('');
  const [sent, setSent] = useState(false);
  const kind = entity === 'dashboard' || entity === 'query' || entity === 'project' ? entity : null;
  const id = entity === 'user' ? me : chosen.trim();
  const idWrong = entity === 'address' ? !isAddress(id) : id === '';
  const tagWrong = tagProblem(tag);
  const adding = useMutation({ mutationFn: () => call('post', '/api/tag/add', { body: { entity, id, tag: tag.trim() }, quiet: true }), onSuccess: onAdded });
  const add = () => {
    setSent(true);
    if (!idWrong && tagWrong === null) adding.mutate();
  };
  return (
    <Dialog
      title={t('community.tag.add')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={adding.isPending} onClick={add}>
            {t('community.tag.add')}
          </Button>
        </>
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        {adding.error && (
          <p className={css.refused} role="alert">
            {messageOf(adding.error)}
          </p>
        )}
        <Select<TagEntity>
          aria-label={t('community.tag.entity')}
          value={entity}
          options={entities.map((one) => ({ value: one, label: t(`community.entities.${one}`) }))}
          getPopupContainer={(trigger: HTMLElement) => trigger.parentElement ?? document.body}
          onChange={(next) => {
            setEntity(next);
            setChosen('');
          }}
        />
        {entity === 'address' && <Field label={t('community.tag.address')} value={chosen} spellCheck={false} autoComplete="off" {...(sent && idWrong ? { error: t('community.tag.addressWrong') } : {})} onChange={(event) => setChosen(event.target.value)} />}
        {kind !== null && (
          <div>
            {/* What is found of one kind is no answer for another. */}
            <Which key={kind} kind={kind} value={chosen} onChange={setChosen} />
            {sent && idWrong && <p className={css.refused}>{t('community.tag.whichMissing')}</p>}
          </div>
        )}
        <Field label={t('community.tag.tag')} value={tag} hint={t('common.tags.hint', { count: longestTag })} {...((sent || tag !== '') && tagWrong !== null ? { error: t(`common.tags.${tagWrong}`, { count: longestTag }) } : {})} onChange={(event) => setTag(event.target.value)} />
        <button type="submit" hidden disabled={adding.isPending} />
      </form>
    </Dialog>
  );
}

const shownOfMine = 50;

/** One of the person's creations, by its title, among however many there are. */
function Which({ kind, value, onChange }: { kind: 'dashboard' | 'query' | 'project'; value: string; onChange: (id: string) => void }) {
  const { t } = useTranslation();
  const titleOf = useTitles();
  const [search, setSearch] = useState('');
  const words = useRested(search);
  const { data, isFetching } = useMine({ kind, search: words, page: 1, size: shownOfMine });
  /** A later search need not find what was chosen by an earlier one. */
  const [picked, setPicked] = useState<{ value: string; label: string }>();
  const found = (data?.items ?? []).map((card) => ({ value: card.id, label: titleOf(card) }));
  const options = picked === undefined || search !== '' || found.some((option) => option.value === picked.value) ? found : [picked, ...found];
  return (
    <Select<string>
      aria-label={t('community.tag.which')}
      className={css.which ?? ''}
      value={value === '' ? null : value}
      placeholder={t('community.tag.which')}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      loading={isFetching}
      // In the dialog there is no room for more.
      listHeight={144}
      options={options}
      getPopupContainer={(trigger: HTMLElement) => trigger.parentElement ?? document.body}
      onChange={(id) => {
        setPicked(options.find((option) => option.value === id));
        setSearch('');
        onChange(id);
      }}
    />
  );
}
