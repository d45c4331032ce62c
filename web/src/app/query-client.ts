// How answers of the server are cached between pages.
import { QueryClient } from '@tanstack/react-query';
import { getSession, onSession } from '@/lib/session';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

/** Forgets what one person saw before the next one looks. Call once. */
export function startQueries(): void {
  let { token } = getSession();
  onSession(() => {
    if (getSession().token === token) return;
    token = getSession().token;
    void queryClient.resetQueries({ predicate: (query) => query.queryKey[0] !== 'chain' });
  });
}
