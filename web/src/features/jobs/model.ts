/** The job list's filters, which live in the address so that a link, a reload and the back button keep them. */
import type { JobFilter, JobState } from '@/api/jobs';
import { pageSizes } from '@/lib/paging';
import { linkTypes } from '@/lib/query-link';
import { queryKinds } from '@/query-kinds/registry';

export const STATES: readonly JobState[] = ['RUNNING', 'QUEUED', 'SUCCEEDED', 'FAILED', 'KILLED'];
const FIRST_SIZE = 10;

function whole(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}

/** Reads the address; what makes no sense there counts as not given. `type` is what links call the kind: `mr` is MAPREDUCE. */
export function readFilter(search: URLSearchParams): JobFilter {
  const size = whole(search.get('size'));
  return {
    kind: queryKinds.find(({ id }) => linkTypes[id] === search.get('type'))?.id,
    state: STATES.find((state) => state.toLowerCase() === search.get('state')),
    page: whole(search.get('page')) ?? 1,
    size: size !== null && pageSizes.includes(size) ? size : FIRST_SIZE,
  };
}

/** The address of a filter; what is as at first is left out. */
export function writeFilter(filter: JobFilter): Record<string, string> {
  return {
    ...(filter.kind ? { type: linkTypes[filter.kind] } : {}),
    ...(filter.state ? { state: filter.state.toLowerCase() } : {}),
    ...(filter.page > 1 ? { page: String(filter.page) } : {}),
    ...(filter.size === FIRST_SIZE ? {} : { size: String(filter.size) }),
  };
}

/** What the page lists: jobs, or the person's saved queries. */
export const QUERIES_VIEW = 'queries';
