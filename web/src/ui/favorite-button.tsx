// The star that marks something as a favourite, with how many people marked it.
import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useFavorite, type Marked } from '@/api/favorites';
import { count } from '@/lib/format';
import { loginPath } from '@/lib/guard';
import { useSession } from '@/lib/session';
import css from './favorite-button.module.css';

interface FavoriteButtonProps {
  marked: Marked;
  /** What it is called, for readers who can't see where the star stands. */
  title: string;
  /** A frame like that of other buttons, for the head of a page. */
  framed?: boolean;
  /** Leaves out how many marked it. */
  bare?: boolean;
  /** Called when the server has taken the change. */
  onChange?: (favorited: boolean) => void;
}

export function FavoriteButton({ marked, title, framed = false, bare = false, onChange }: FavoriteButtonProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const location = useLocation();
  const { token } = useSession();
  const { favorited, favorites, toggle } = useFavorite(marked, onChange);
  const press = () => {
    if (token === null) void navigate(loginPath(location));
    else toggle();
  };
  return (
    <button type="button" className={css.star} data-framed={framed} aria-pressed={favorited} aria-label={bare ? t('common.favorite.plain', { title }) : t('common.favorite.label', { title, count: favorites })} title={t(favorited ? 'common.favorite.remove' : 'common.favorite.add')} onClick={press}>
      {!bare && <span>{count(favorites)}</span>}
      <Star size={16} strokeWidth={1.6} fill={favorited ? 'currentColor' : 'none'} aria-hidden />
    </button>
  );
}
