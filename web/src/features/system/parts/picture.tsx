// An uploaded picture, read through the API because it is not everybody's.
import { usePicture } from '@/api/pictures';
import { Skeleton } from '@/ui/parts';
import css from '../kit/kit.module.css';

export function Picture({ path, name }: { path: string; name: string }) {
  const address = usePicture(path);
  return address === null ? <Skeleton height="12em" /> : <img className={css.picture} src={address} alt={name} />;
}
