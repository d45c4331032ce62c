// Pages of one thing: the id stands in the address as Base64, and what is no id is no page.
import { Navigate, useSearchParams } from 'react-router';
import { decodeId } from '@/lib/ids';
import { paths } from '@/lib/paths';

interface LinkIdProps {
  /** Says whether a text can be an id; without it any can. */
  valid?: (id: string) => boolean;
  children: (id: string) => React.ReactNode;
}

/** Shows the page of the address's `id`, from scratch for each id. */
export function LinkId({ valid = () => true, children }: LinkIdProps) {
  const [address] = useSearchParams();
  const id = decodeId(address.get('id'));
  return id !== null && valid(id) ? children(id) : <Navigate to={paths.notFound} replace />;
}
