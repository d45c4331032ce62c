// A person's picture with the dot that says who is online; none where that is not known.
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/ui/avatar';
import css from './dock.module.css';

export function Face({ name, picture, online }: { name: string; picture: string; online: boolean | undefined }) {
  const { t } = useTranslation();
  return (
    <span className={css.face}>
      <Avatar name={name} picture={picture} />
      {online !== undefined && <i data-online={online} role="img" aria-label={t(online ? 'dock.online' : 'dock.offline')} />}
    </span>
  );
}
