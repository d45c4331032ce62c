// An address of the chain in a list.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/call';
import { shortHex } from '@/lib/format';
import { addressOf } from '@/lib/paths';
import { useWidth } from '@/lib/width';
import { Age, TagLink } from '@/ui/creation-row';
import { FavoriteButton } from '@/ui/favorite-button';
import { CopyButton } from '@/ui/parts';
import css from './rows.module.css';

export function AddressRow({ card: { address, tags, favorited, favorites, updateTime } }: { card: Schemas['AddressCard'] }) {
  const { t } = useTranslation();
  const narrow = useWidth() === 'narrow';
  return (
    <li className={css.row}>
      <div className={css.who}>
        <div>
          <h3 className={`${css.name} mono`}>
            <Link to={addressOf(address)} title={address}>
              {narrow ? shortHex(address) : address}
            </Link>
            <span className={css.copy}>
              <CopyButton text={address} label={t('community.copyAddress')} />
            </span>
          </h3>
          <p className={css.tags}>
            {tags.map((tag) => (
              <TagLink key={tag} tag={tag} />
            ))}
          </p>
        </div>
      </div>
      {updateTime ? <Age ms={updateTime} /> : <span />}
      <div className={css.star}>
        <FavoriteButton title={shortHex(address)} marked={{ kind: 'address', id: address, favorited, favorites }} />
      </div>
    </li>
  );
}
