// Making a key of the developer API, or changing the name and restrictions of one. A new key is shown this once: the server
// keeps only its hash.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Select } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { ApiError, messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { CopyButton } from '@/ui/parts';
import { apiKeysKey, profileKey } from '../api';
import { freeRules, KeyRules, rulesOf } from './key-rules';
import css from '../account.module.css';

/** Days a key works; 0 is for ever. */
const lives = [30, 90, 365, 0] as const;
const ruleNames: readonly string[] = ['referrers', 'addresses', 'metrics'];

/** Without a key it makes one. */
export function KeyDialog({ apiKey, onClose }: { apiKey?: Schemas['ApiKey']; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState(apiKey?.name ?? '');
  const [days, setDays] = useState<number>(365);
  const [rules, setRules] = useState(apiKey ? rulesOf(apiKey.restrictions) : freeRules);
  const [sent, setSent] = useState(false);
  const saving = useMutation({
    mutationFn: async () => {
      const said = { name: name.trim(), restrictions: rules };
      if (!apiKey) return (await call('post', '/api/user/api-key/create', { body: { ...said, expiresInDays: days === 0 ? null : days }, quiet: true })).key;
      await call('post', '/api/user/api-key/edit/{id}', { path: { id: apiKey.id }, body: said, quiet: true });
      return null;
    },
    onSuccess: async (key) => {
      await Promise.all([client.invalidateQueries({ queryKey: apiKeysKey }), client.invalidateQueries({ queryKey: profileKey })]);
      if (key === null) onClose();
    },
  });
  const made = saving.data;
  const id = useId();
  const code = useRef<HTMLElement>(null);
  // The button that had the focus is gone; the key is what is to be read now.
  useEffect(() => {
    if (typeof made === 'string') code.current?.focus();
  }, [made]);
  const missing = sent && name.trim() === '';
  const { error } = saving;
  const ofRule = error instanceof ApiError && error.param !== undefined && ruleNames.includes(error.param) ? { param: error.param, message: messageOf(error) } : null;
  const save = () => {
    setSent(true);
    if (name.trim() !== '') saving.mutate();
  };
  if (typeof made === 'string') {
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
          <code ref={code} tabIndex={-1}>
            {made}
          </code>
          <CopyButton text={made} label={t('account.keys.copy')} />
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={apiKey ? t('account.keys.editTitle', { name: apiKey.name }) : t('account.keys.generate')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={saving.isPending} onClick={save}>
            {t(apiKey ? 'account.info.save' : 'account.keys.generate')}
          </Button>
        </>
      }
    >
      <form
        className={css.newKey}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {error && !ofRule ? (
          <p className={css.refused} role="alert">
            {messageOf(error)}
          </p>
        ) : null}
        <Field label={t('account.keys.name')} value={name} maxLength={50} hint={t('account.keys.nameHint')} {...(missing ? { error: t('account.keys.nameMissing') } : {})} onChange={(event) => setName(event.target.value)} />
        {apiKey ? null : (
          <div className={css.rule}>
            <label htmlFor={id}>{t('account.keys.life')}</label>
            <Select<number> id={id} aria-label={t('account.keys.life')} value={days} options={lives.map((value) => ({ value, label: value === 0 ? t('account.keys.lasting') : t('account.keys.days', { count: value }) }))} getPopupContainer={(trigger: HTMLElement) => trigger.parentElement ?? document.body} onChange={setDays} />
          </div>
        )}
        <KeyRules rules={rules} refused={ofRule} onChange={setRules} />
        <button type="submit" hidden disabled={saving.isPending} />
      </form>
    </Dialog>
  );
}
