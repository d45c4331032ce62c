// Every page of the product: one line each, loaded when first opened.
import { Navigate, type RouteObject } from 'react-router';
import { paths } from '@/lib/paths';
import { Boot } from './boot';
import { unknownPage, type RouteHandle } from './handle';
import { page } from './load';
import { PageError } from './page-error';
import { Root } from './root';
import { systemRoutes } from './system-routes';

const workbench: RouteHandle = { layout: 'workbench' };
/** Short addresses of the models; `bare` sends them on, and what is no token to the page of unknown addresses. */
const shortModelPaths = [
  '/overview',
  '/eth_network_curve/:day?',
  '/ethNetworkCurve_model_3D/:day?',
  '/dapp_relation/:day?',
  '/dapp-user/:month?',
  '/realtime_model',
  '/realtime_model_3D',
  '/dao_model',
  '/miner_model',
  '/vampire_attack_model',
  '/air_drop_model',
  '/airdrop_model',
  '/uniswap_realtime_model',
  '/test/:tool?',
  '/:token',
];
/** With the editor beside it, which it shows at once. */
const queries = () => Promise.all([import('@/features/queries/page'), import('@/ui/editor/editor')]).then(([module]) => module);
const kept: RouteHandle = { keepAlive: true };
const leadsOn: RouteHandle = { leadsOn: true };
/** The list of one's own dashboards is a page; the editor of one is a workbench. */
const dashboards: RouteHandle = { layout: (search) => (search.has('id') ? 'workbench' : 'page') };

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: PageError,
    HydrateFallback: Boot,
    children: [
      { path: '/', element: <Navigate to={paths.start} replace /> },
      { path: paths.start, lazy: page(() => import('@/features/start/page')) },
      {
        lazy: page(() => import('@/features/session/layout')),
        children: [
          { path: paths.login, lazy: page(() => import('@/features/session/login')) },
          { path: paths.register, lazy: page(() => import('@/features/session/register')) },
          { path: paths.forget, lazy: page(() => import('@/features/session/forget')) },
          { path: paths.reset, lazy: page(() => import('@/features/session/reset')) },
          { path: paths.provider, lazy: page(() => import('@/features/session/provider')) },
        ],
      },
      {
        lazy: page(() => import('./antd-pages')),
        children: [
          { path: paths.embedDashboard, lazy: page(() => import('@/features/dashboards/view/embed'), 'charts', 'dashboards') },
          { path: paths.embedMetric, lazy: page(() => import('@/features/official/embed'), 'charts', 'official') },
        ],
      },
      {
        lazy: page(() => import('./shell/shell')),
        children: [
          { path: paths.home, lazy: page(() => import('@/features/home/page')) },
          { path: '/visualization_model/*', lazy: page(() => import('@/features/models/page'), 'models'), handle: workbench },
          { path: paths.paperPreview, lazy: page(() => import('@/features/papers/preview'), 'papers'), handle: workbench },
          { path: paths.notFound, lazy: page(() => import('./not-found')) },
          { path: paths.assistant, lazy: page(() => import('@/features/docs/chat/page'), 'assistant', 'docs') },
          { path: paths.blog, lazy: page(() => import('@/features/unpublished/blog'), 'unpublished') },
          { path: paths.pricing, lazy: page(() => import('@/features/unpublished/pricing'), 'unpublished') },
          {
            lazy: page(() => import('./antd-pages')),
            children: [
              { path: paths.discover, lazy: page(() => import('@/features/community/discover/page'), 'community'), handle: kept },
              { path: paths.info, lazy: page(() => import('@/features/account/page'), 'account') },
              { path: paths.favorites, lazy: page(() => import('@/features/community/favorites/page'), 'community'), handle: kept },
              { path: paths.creations, lazy: page(() => import('@/features/community/creations/page'), 'community'), handle: kept },
              { path: paths.projects, lazy: page(() => import('@/features/community/projects/page'), 'community') },
              { path: paths.project, lazy: page(() => import('@/features/community/projects/detail'), 'community') },
              { path: paths.tags, lazy: page(() => import('@/features/community/tags/page'), 'community') },
              { path: paths.creator, lazy: page(() => import('@/features/community/creator/page'), 'community') },
              { path: paths.address, lazy: page(() => import('@/features/community/address/page'), 'community') },
              { path: paths.query, lazy: page(queries, 'charts', 'editors'), handle: workbench },
              { path: paths.dashboard, lazy: page(() => import('@/features/dashboards/view/page'), 'charts', 'dashboards') },
              { path: paths.myDashboards, lazy: page(() => import('@/features/dashboards/edit/page'), 'charts', 'dashboards'), handle: dashboards },
              { path: paths.dashboardPreview, lazy: page(() => import('@/features/dashboards/edit/preview'), 'charts', 'dashboards'), handle: workbench },
              { path: paths.official, lazy: page(() => import('@/features/official/page'), 'charts', 'official'), handle: kept },
              { path: paths.officialMetric, lazy: page(() => import('@/features/official/metric'), 'charts', 'official') },
              { path: paths.gallery, lazy: page(() => import('@/features/gallery/page'), 'charts') },
              { path: paths.ranking, lazy: page(() => import('@/features/ranking/page'), 'ranking') },
              { path: paths.papers, lazy: page(() => import('@/features/papers/page'), 'papers') },
              { path: paths.jobs, lazy: page(() => import('@/features/jobs/page')) },
            ],
          },
        ],
      },
      { path: '/platform', element: <Navigate to={paths.docs} replace /> },
      { path: '/developer-apis', element: <Navigate to={paths.apiDocs} replace /> },
      {
        lazy: page(() => import('@/features/docs/layout'), 'docs'),
        children: ['/platform/*', '/developer-apis/*'].map((path) => ({ path, lazy: page(() => import('@/features/docs/page'), 'docs') })),
      },
      systemRoutes,
      ...shortModelPaths.map((path) => ({ path, handle: leadsOn, lazy: page(() => import('@/features/models/bare')) })),
      { id: unknownPage, path: '*', element: <Navigate to={paths.notFound} replace /> },
    ],
  },
];
