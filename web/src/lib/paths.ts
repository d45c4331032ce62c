// The addresses of the pages that exist: links are made here, never by hand.
import { encodeId } from './ids';

export const paths = {
  start: '/start',
  home: '/home',
  login: '/auth/login',
  register: '/auth/register',
  forget: '/auth/forget',
  reset: '/auth/reset',
  /** Where a provider sends people back to; the server names this address to it. */
  provider: '/auth/provider',
  discover: '/community/discover',
  query: '/user/query',
  jobs: '/user/my-query',
  info: '/user/info',
  apiKeys: '/user/info#api-key',
  favorites: '/community/favorites',
  creations: '/community/my-creations',
  projects: '/projects',
  project: '/projects/detail',
  address: '/community/address',
  blog: '/blog',
  pricing: '/pricing',
  models: '/visualization_model/overview',
  ranking: '/DAppRanking',
  papers: '/DeFi/paper',
  paperPreview: '/whitePage/preview',
  docs: '/platform/summarize',
  assistant: '/chatpage',
  apiDocs: '/developer-apis/change-log',
  limits: '/developer-apis/info/limit',
  system: '/system',
  gallery: '/platform/visualizations',
  dashboard: '/user/dashboard',
  myDashboards: '/user/my-dashboard',
  dashboardPreview: '/user/my-dashboard/preview',
  official: '/official/dashboards',
  officialMetric: '/official/dashboards/visualization',
  embedDashboard: '/embed/dashboard',
  embedMetric: '/embed/visualization',
  creator: '/user/dashboards-and-queries',
  tags: '/tags',
  notFound: '/404',
} as const;

/** The query page with the text and result of a job. */
export const queryOfJob = (jobId: string): string => `${paths.query}?job=${encodeId(jobId)}`;

/** What a person made. */
export const creatorOf = (userName: string): string => `${paths.creator}?${new URLSearchParams({ userName }).toString()}`;

/** What carries a tag. */
export const tagOf = (tag: string): string => `${paths.tags}?${new URLSearchParams({ tag }).toString()}`;

/** The query page with a saved query. */
export const savedQuery = (id: string): string => `${paths.query}?id=${encodeId(id)}`;

const withShare = (path: string, id: string, share?: string | null): string => `${path}?id=${encodeId(id)}${share ? `&share=${encodeURIComponent(share)}` : ''}`;

/** A dashboard to look at; `share` is the token of its share link. */
export const dashboardOf = (id: string, share?: string | null): string => withShare(paths.dashboard, id, share);

/** A dashboard without the shell, for frames on other sites. */
export const embedPath = (id: string, share?: string | null): string => withShare(paths.embedDashboard, id, share);

/** The editor with a dashboard of one's own. */
export const editDashboard = (id: string): string => `${paths.myDashboards}?id=${encodeId(id)}`;

/** The editor with a new dashboard. */
export const newDashboard = `${paths.myDashboards}?new=1`;

export const previewDashboard = (id: string): string => `${paths.dashboardPreview}?id=${encodeId(id)}`;

/** A chart of an official dashboard. */
interface Metric {
  dashboardId: string;
  visualizationId: string;
  visualizationType: string;
  resolution?: string;
}

function metricSearch({ dashboardId, visualizationId, visualizationType, resolution = '1 Day' }: Metric): string {
  return new URLSearchParams({ dashboardId: encodeId(dashboardId), visualizationType, visualizationId: encodeId(visualizationId), resolution }).toString();
}

/** The page of one chart of an official dashboard. */
export const metricPath = (metric: Metric): string => `${paths.officialMetric}?${metricSearch(metric)}`;

/** The chart alone, for frames on other sites. */
export const embedMetricPath = (metric: Metric): string => `${paths.embedMetric}?${metricSearch(metric)}`;

/** The query page with a visualization of a saved query. */
export const visualizationOf = (queryId: string, type: string, id: string): string => `${savedQuery(queryId)}&${new URLSearchParams({ visualizationType: type, visualizationId: encodeId(id) }).toString()}`;

export const projectOf = (id: string): string => `${paths.project}?id=${encodeId(id)}`;

/** What is known of an address of the chain. */
export const addressOf = (address: string): string => `${paths.address}?id=${encodeId(address)}`;

/** A paper, opened to be read. */
export const paperOf = (id: number): string => `${paths.paperPreview}?id=${encodeId(id)}`;
