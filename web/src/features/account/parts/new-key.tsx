// Making a key of the developer API. It is shown this once: the server keeps only its hash.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { CopyButton } from '@/ui/parts';
import { apiKeysKey, profileKey } from '../api';
import css from '../account.module.css';

/** Days a key works; 0 is for ever. */
const lives = [30, 90, 365, 0] as const;

export function NewKey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(365);
  const [sent, setSent] = useState(false);
  const making = useMutation({
    mutationFn: () => call('post', '/api/user/api-key/create', { body: { name: name.trim(), expiresInDays: days === 0 ? null : days }, quiet: true }),
    onSuccess: () => Promise.all([client.invalidateQueries({ queryKey: apiKeysKey }), client.invalidateQueries({ queryKey: profileKey })]),
  });
  const made = making.data?.key;
  const missing = sent && name.trim() === '';
  const make = () => {
    setSent(true);
    if (name.trim() !== '') making.mutate();
  };
  if (made !== undefined) {
    return (
      // It has to be closed by its button: a click beside it would lose the key.
      <Dialog
        title={t('account.keys.madeTitle')}
        actions={
          <Button kind="primary" onClick={onClose}>
            {t('account.keys.kept')}
          </Button>
        }
      >
        <p>{t('account.keys.madeText')}</p>
        <p className={css.made}>
          <code>{made}</code>
          <CopyButton text={made} label={t('account.keys.copy')} />
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('account.keys.generate')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={making.isPending} onClick={make}>
            {t('account.keys.generate')}
          </Button>
        </>
      }
    >
      <form
        className={css.newKey}
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        {making.error && (
          <p className={css.refused} role="alert">
            {messageOf(making.error)}
          </p>
        )}
        <Field label={t('account.keys.name')} value={name} maxLength={50} hint={t('account.keys.nameHint')} {...(missing ? { error: t('account.keys.nameMissing') } : {})} onChange={(event) => setName(event.target.value)} />
        <Select<number> aria-label={t('account.keys.life')} value={days} options={lives.map((value) => ({ value, label: value === 0 ? t('account.keys.lasting') : t('account.keys.days', { count: value }) }))} getPopupContainer={(trigger: HTMLElement) => trigger.parentElement ?? document.body} onChange={setDays} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
