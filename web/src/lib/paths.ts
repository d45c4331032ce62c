// The addresses of the pages that exist: links are made here, never by hand.
import { encodeId } from './ids';

export const paths = {
  start: '/start',
  home: '/home',
  login: '/auth/login',
  register: '/auth/register',
  query: '/user/query',
  jobs: '/user/my-query',
  gallery: '/platform/visualizations',
  notFound: '/404',
} as const;

/** The query page with the text and result of a job. */
export const queryOfJob = (jobId: string): string => `${paths.query}?job=${encodeId(jobId)}`;
