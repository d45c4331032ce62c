// What the person says about themselves.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '@/api/account';
import { messageOf } from '@/api/error';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notices';
import { Card } from '@/ui/parts';
import { TagsField } from '@/ui/tags-field';
import { profileKey, saveInfo } from '../api';
import css from '../account.module.css';

export function InfoForm({ profile }: { profile: Profile | undefined }) {
  const { t } = useTranslation();
  return (
    <Card title={t('account.info.title')}>
      <p className={css.lead}>{t('account.info.text')}</p>
      {profile ? <Form key={`${profile.career ?? ''}\n${profile.address ?? ''}\n${(profile.tags ?? []).join()}`} profile={profile} /> : <Waiting />}
    </Card>
  );
}

/** As high as the form will be. */
function Waiting() {
  return (
    <div className="keeps-room" aria-hidden inert>
      <Form profile={{ userName: '' }} />
    </div>
  );
}

function Form({ profile }: { profile: Pick<Profile, 'userName' | 'career' | 'address' | 'tags' | 'phoneNumber' | 'email'> }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const first = { career: profile.career ?? '', address: profile.address ?? '', tags: profile.tags ?? [] };
  const [now, setNow] = useState(first);
  const changed = JSON.stringify(now) !== JSON.stringify(first);
  const saving = useMutation({
    mutationFn: () => saveInfo(profile.userName, now),
    onSuccess: () => {
      notify.success(t('account.info.saved'));
      void client.invalidateQueries({ queryKey: ['tags'] });
      return client.invalidateQueries({ queryKey: profileKey });
    },
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      {saving.error && (
        <p className={css.refused} role="alert">
          {messageOf(saving.error)}
        </p>
      )}
      <Field label={t('session.userName')} value={profile.userName} readOnly hint={t('account.info.fixed')} />
      <Field label={t('account.info.career')} value={now.career} maxLength={100} onChange={(event) => setNow({ ...now, career: event.target.value })} />
      <Field label={t('session.phone')} value={profile.phoneNumber ?? ''} readOnly placeholder={t('account.info.notSet')} />
      <Field label={t('session.email')} value={profile.email ?? ''} readOnly placeholder={t('account.info.notSet')} />
      <Field label={t('account.info.address')} value={now.address} maxLength={200} autoComplete="street-address" onChange={(event) => setNow({ ...now, address: event.target.value })} />
      <TagsField label={t('account.info.tags')} tags={now.tags} onChange={(tags) => setNow({ ...now, tags })} />
      <div className={css.actions}>
        <Button disabled={!changed} onClick={() => setNow(first)}>
          {t('account.info.discard')}
        </Button>
        <Button kind="primary" type="submit" busy={saving.isPending} disabled={!changed || saving.isPending}>
          {t('account.info.save')}
        </Button>
      </div>
    </form>
  );
}
