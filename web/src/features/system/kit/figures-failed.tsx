// Figures of a page that could not be loaded: why, and a way to ask again.
import type { UseQueryResult } from '@tanstack/react-query';
import { messageOf } from '@/api/error';
import { Card, Failed } from '@/ui/parts';
import css from './kit.module.css';

/** The calls that failed and left nothing to show. */
export const failedOf = (...queries: readonly UseQueryResult[]) => queries.filter((query) => query.isError && query.data === undefined);

export function FiguresFailed({ failed }: { failed: readonly UseQueryResult[] }) {
  const [first] = failed;
  if (!first) return null;
  const retry = () => {
    for (const query of failed) void query.refetch();
  };
  return (
    <Card className={css.follow ?? ''}>
      <Failed message={messageOf(first.error)} onRetry={retry} />
    </Card>
  );
}
