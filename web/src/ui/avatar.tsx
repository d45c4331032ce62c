// A person's picture, or the first letters of the name on a colour of its own.
import { usePicture } from '@/api/pictures';
import css from './avatar.module.css';

const colours = ['#3c6e1f', '#8a4a24', '#2f4cc0', '#6b4fb0', '#0d6a55', '#7a5a00', '#a83a2a', '#71306a'];

interface AvatarProps {
  name: string;
  /** Path of the picture on the server; empty or missing when there is none. */
  picture?: string | null;
  size?: 'default' | 'large';
}

export function Avatar({ name, picture, size = 'default' }: AvatarProps) {
  const address = usePicture(picture);
  if (address !== null) return <img className={css.avatar} data-size={size} src={address} alt="" />;
  const sum = Array.from(name).reduce((total, letter) => total * 31 + (letter.codePointAt(0) ?? 0), 7);
  return (
    <span className={css.avatar} data-size={size} style={{ background: colours[sum % colours.length] }} aria-hidden>
      {name.slice(0, 2).toUpperCase()}
    </span>
  );
}
