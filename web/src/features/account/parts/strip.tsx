// Who the person is at a glance, and the way to another picture.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Camera } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uploadAvatar, type Profile } from '@/api/account';
import { messageOf } from '@/api/error';
import { errorText } from '@/i18n';
import { count } from '@/lib/format';
import { creatorOf, tagOf } from '@/lib/paths';
import { getSession, setAccount, useSession } from '@/lib/session';
import { dayOf } from '@/lib/time';
import { pictureProblem } from '@/lib/validate';
import { Avatar } from '@/ui/avatar';
import { ButtonLink } from '@/ui/button';
import { notify } from '@/ui/notices';
import { Skeleton } from '@/ui/parts';
import { Link } from 'react-router';
import { profileKey } from '../api';
import css from '../account.module.css';

const problems = { pictureType: 'not_a_picture', pictureSize: 'picture_too_large' } as const;

export function Strip({ profile }: { profile: Profile | undefined }) {
  const { t } = useTranslation();
  const userName = useSession().account?.name;
  const figures: [string, string | undefined][] = [
    [t('account.figures.stars'), profile && count(profile.starCount)],
    [t('account.figures.dashboards'), profile && count(profile.dashboardCount)],
    [t('account.figures.queries'), profile && count(profile.queryCount)],
    [t('account.figures.credits'), profile && count(profile.creditCount)],
    [t('account.figures.since'), profile && dayOf(profile.creatorSince)],
  ];
  return (
    <section className={css.strip} aria-label={t('account.figures.title')}>
      <Picture profile={profile} userName={userName} />
      <div className={css.name}>
        <p className={css.userName}>{userName ?? <Skeleton height="1.45em" width="6em" />}</p>
        <p className={css.soft}>{profile?.career}</p>
        <p className={css.tags}>
          {profile?.tags?.map((tag) => (
            <Link key={tag} to={tagOf(tag)}>
              {tag}
            </Link>
          ))}
        </p>
      </div>
      <dl className={css.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <Skeleton height="1.45em" width="3em" />}</dd>
          </div>
        ))}
      </dl>
      <span className={userName === undefined ? 'keeps-room' : undefined}>
        <ButtonLink to={creatorOf(userName ?? '')}>{t('account.publicPage')}</ButtonLink>
      </span>
    </section>
  );
}

function Picture({ profile, userName }: { profile: Profile | undefined; userName: string | undefined }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const uploading = useMutation({
    mutationFn: uploadAvatar,
    onSuccess: (path) => {
      const { account } = getSession();
      if (account) setAccount({ ...account, avatar: path });
      notify.success(t('account.pictureSaved'));
      return client.invalidateQueries({ queryKey: profileKey });
    },
    onError: (error) => setRefused(messageOf(error)),
  });
  const choose = (file: File | undefined) => {
    if (!file) return;
    const problem = pictureProblem(file);
    setRefused(problem === null ? null : (errorText(problems[problem]) ?? null));
    if (problem === null) uploading.mutate(file);
  };
  return (
    <div className={css.picture}>
      <Avatar name={userName ?? ''} picture={profile?.headPhoto ?? null} size="large" />
      <button type="button" aria-label={t('account.picture')} title={t('account.picture')} disabled={uploading.isPending} onClick={() => input.current?.click()}>
        <Camera size={15} strokeWidth={1.6} />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('account.picture')}
        accept=".jpg,.jpeg,.png,.gif"
        onChange={(event) => {
          choose(event.target.files?.[0]);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
      {refused !== null && (
        <p className={css.refused} role="alert">
          {refused}
        </p>
      )}
    </div>
  );
}
