// How answers of the server are cached between pages.
import { QueryClient, type InvalidateOptions, type InvalidateQueryFilters, type QueryKey } from '@tanstack/react-query';
import { getSession, onSession } from '@/lib/session';

class AnswerCache extends QueryClient {
  /**
   * Something has changed: what is on show is asked for again. So is what nobody has seen yet: its first answer, still on its
   * way, may be older than the change, and the library would take it for the new state.
   */
  override invalidateQueries<K extends QueryKey>(filters?: InvalidateQueryFilters<K>, options?: InvalidateOptions): Promise<void> {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      if (query.state.data === undefined && query.isActive()) void query.cancel({ silent: true });
    }
    return super.invalidateQueries(filters, options);
  }
}

export const queryClient = new AnswerCache({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

/** Forgets what one person saw before the next one looks. Call once. */
export function startQueries(): void {
  let { token, login } = getSession();
  onSession(() => {
    const before = { token, login };
    ({ token, login } = getSession());
    if (token === before.token) return;
    if (login === before.login) {
      // The same person with another token: what was refused meanwhile is asked for again.
      void queryClient.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' });
      return;
    }
    void queryClient.resetQueries({ predicate: (query) => query.queryKey[0] !== 'chain' });
  });
}
