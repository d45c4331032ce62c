// How many of the person's jobs run now.
import { useQuery } from '@tanstack/react-query';
import { listJobs } from '@/api/jobs';
import { useSession } from '@/lib/session';

const refreshMs = 10_000;

export function useRunningJobs(): number {
  const { token } = useSession();
  const { data } = useQuery({
    queryKey: ['jobs', 'running', 'count'],
    queryFn: ({ signal }) => listJobs({ state: 'RUNNING', page: 1, size: 1 }, signal),
    enabled: token !== null,
    refetchInterval: refreshMs,
  });
  return token === null ? 0 : (data?.total ?? 0);
}
