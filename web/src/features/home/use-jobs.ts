// The person's newest jobs.
import { useQuery } from '@tanstack/react-query';
import { listJobs, type JobState } from '@/api/jobs';
import { useSession } from '@/lib/session';

const refreshMs = 5_000;
const size = 8;

export function useJobs(state?: JobState) {
  const { token } = useSession();
  return useQuery({
    queryKey: ['jobs', 'home', state ?? 'all'],
    queryFn: ({ signal }) => listJobs({ state, page: 1, size }, signal),
    enabled: token !== null,
    refetchInterval: refreshMs,
  });
}
