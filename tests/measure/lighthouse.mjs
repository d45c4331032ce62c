// Lighthouse with its desktop preset on five pages, as a visitor sees them. Lighthouse is large and no test needs it, so it is
// installed by hand: `npm --prefix tests install --no-save lighthouse@12`.
import { request } from 'playwright-core';
import { startBrowser } from '../browser/harness.mjs';

const times = 3;
const port = 9333;

const load = () =>
  import('lighthouse').catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });

async function pages(server) {
  const api = await request.newContext({ baseURL: server.url });
  const { data } = await (await api.get('/api/official/dashboards')).json();
  await api.dispose();
  const board = Buffer.from(data[0].dashboard.id).toString('base64url');
  return { start: '/start', home: '/home', discover: '/community/discover', query: '/user/query', dashboard: `/user/dashboard?id=${board}` };
}

/** Of several runs the one with the middle performance. */
const middle = (runs) => runs.sort((a, b) => a.categories.performance.score - b.categories.performance.score)[Math.floor(runs.length / 2)];

export async function measureLighthouse(_, server) {
  const found = await load();
  if (!found) {
    console.log('is not installed: npm --prefix tests install --no-save lighthouse@12');
    return;
  }
  const { default: lighthouse, desktopConfig } = found;
  const browser = await startBrowser({ port });
  try {
    for (const [name, path] of Object.entries(await pages(server))) {
      const runs = [];
      for (let at = 0; at < times; at += 1) {
        const { lhr } = await lighthouse(server.url + path, { port, logLevel: 'error', onlyCategories: ['performance', 'accessibility'] }, desktopConfig);
        runs.push(lhr);
      }
      const { categories, audits } = middle(runs);
      const score = (category) => Math.round(categories[category].score * 100);
      const value = (audit) => Math.round(audits[audit].numericValue);
      const figures = `first paint ${value('first-contentful-paint')} ms, largest ${value('largest-contentful-paint')} ms, blocking ${value('total-blocking-time')} ms, shift ${audits['cumulative-layout-shift'].numericValue.toFixed(3)}`;
      console.log(`${name}: performance ${score('performance')} (${runs.map(({ categories: one }) => Math.round(one.performance.score * 100)).join(', ')}), accessibility ${score('accessibility')}; ${figures}`);
    }
  } finally {
    await browser.close();
  }
}
