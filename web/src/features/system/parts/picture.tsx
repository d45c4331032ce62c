// An uploaded picture, read through the API because it is not everybody's.
import { messageOf } from '@/api/error';
import { useAskedPicture } from '@/api/pictures';
import { Failed, Skeleton } from '@/ui/parts';
import css from '../kit/kit.module.css';

export function Picture({ path, name }: { path: string; name: string }) {
  const { data, error, refetch } = useAskedPicture(path);
  if (data) return <img className={css.picture} src={data} alt={name} />;
  // A picture can be removed before whoever looks at the list again.
  return error ? <Failed message={messageOf(error)} onRetry={() => void refetch()} /> : <Skeleton height="12em" />;
}
