/** Why a model has nothing to show, in the language of the page. */
import { messageOf } from '@/api/error';
import { useFailures } from '@/i18n/failures';
import { QueryFailed } from './run';

/** A query that failed says it itself; all else is what the server or the line said. */
export function useReason(): (error: unknown) => string {
  const tell = useFailures();
  return (error) => (error instanceof QueryFailed ? tell(error) : messageOf(error));
}
