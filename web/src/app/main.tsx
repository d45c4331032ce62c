// Where the page starts: settings of the reader first, then the router.
import '@/ui/tokens.css';
import '@/ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { fetchAccount } from '@/api/account';
import { startLanguage } from '@/i18n';
import { startPaper } from '@/lib/paper';
import { startProviderAnswer } from '@/lib/provider-answer';
import { startScaling } from '@/lib/scale';
import { startSession } from '@/lib/session';
import { startTheme } from '@/lib/theme';
import { startFailures } from './failures';
import { startPreload } from './preload';
import { queryClient, startQueries } from './query-client';
import { routes } from './routes';
import { startScrolling } from './scroll';
import { startClickTracking } from './tracking';

/** A login made in another tab whose owner isn't known after so long is taken for somebody else's. */
const patienceMs = 10_000;

// Before the router and what reports visits read the address.
startProviderAnswer();
startPaper();
startTheme();
startScaling();
startScrolling();
startSession((token) => fetchAccount(AbortSignal.timeout(patienceMs), token));
startQueries();
startFailures();
startPreload();
startClickTracking();
// The texts and the code of the first page are fetched at once.
const texts = startLanguage();
const router = createBrowserRouter(routes);
await texts;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
