// A favourite person or address, of which only the name is known.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { shortHex } from '@/lib/format';
import { addressOf, creatorOf } from '@/lib/paths';
import { useWidth } from '@/lib/width';
import { Avatar } from '@/ui/avatar';
import { Age } from '@/ui/creation-row';
import { FavoriteButton } from '@/ui/favorite-button';
import { CopyButton } from '@/ui/parts';
import css from './rows.module.css';

interface NameRowProps {
  kind: 'user' | 'address';
  name: string;
  /** When it was marked, in milliseconds since 1970. */
  since: number;
  onFavorite: (favorited: boolean) => void;
}

export function NameRow({ kind, name, since, onFavorite }: NameRowProps) {
  const { t } = useTranslation();
  const narrow = useWidth() === 'narrow';
  return (
    <li className={css.row}>
      <div className={css.who}>
        {kind === 'user' && <Avatar name={name} />}
        <h3 className={kind === 'user' ? css.name : `${css.name} mono`}>
          <Link to={kind === 'user' ? creatorOf(name) : addressOf(name)}>{kind === 'address' && narrow ? shortHex(name) : name}</Link>
          {kind === 'address' && (
            <span className={css.copy}>
              <CopyButton text={name} label={t('community.copyAddress')} />
            </span>
          )}
        </h3>
      </div>
      <Age ms={since} />
      <div className={css.star}>
        <FavoriteButton bare title={name} marked={{ kind, id: name, favorited: true, favorites: 0 }} onChange={onFavorite} />
      </div>
    </li>
  );
}
