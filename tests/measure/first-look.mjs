// How long somebody waits who opens a page for the first time, with an empty cache: until everything on it is there and the
// page has nothing left to do.
import { adminPassword, newPage } from '../browser/harness.mjs';
import { call, logIn } from '../browser/steps.mjs';
import { told } from './told.mjs';

const times = 5;
const widgets = 12;

/** Opens the path some times, each in a browser that holds nothing but `stored`, and tells how long until `complete` holds in the page. */
async function opened(browser, server, { name, path, stored, complete, argument }) {
  const waits = [];
  for (let at = 0; at < times; at += 1) {
    const page = await newPage(browser, server, stored);
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForFunction(complete, argument);
    // The page's own clock, which starts with the navigation, once the page is idle.
    waits.push(await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve(performance.now())))));
    await page.context().close();
  }
  console.log(`${name}: ${told(waits)}`);
}

// The classes of the build begin with the names they have in the sources.
const homeIsThere = () => document.querySelector('main h2') !== null && document.querySelector('main [class*="skeleton"]') === null;

const boardIsThere = (count) => {
  const shown = [...document.querySelectorAll('[data-widget] [data-viz][data-ready="true"]')];
  const drawn = (widget) => widget.dataset.viz === 'counter' || widget.querySelector('.chart[data-ready="true"] canvas, .ag-row .ag-cell') !== null;
  return shown.length === count && shown.every(drawn);
};

export const measureHome = (browser, server) => opened(browser, server, { name: '/home', path: '/home', stored: {}, complete: homeIsThere });

/** A board of charts that ship with the product, with the results of their queries. */
export async function measureDashboard(browser, server) {
  const page = await newPage(browser, server);
  await page.goto('/auth/login');
  await logIn(page, 'admin', adminPassword);
  await page.getByRole('button', { name: 'Account of admin' }).waitFor();
  const official = await call(page, 'GET', '/api/official/dashboards');
  const charts = [...new Set(official.flatMap((dashboard) => dashboard.charts.map((chart) => chart.visualizationId)))].slice(0, widgets);
  const content = {
    widgets: charts.map((visualizationId, at) => ({ id: `w${at}`, layout: { x: (at % 4) * 3, y: Math.floor(at / 4) * 6, w: 3, h: 6 }, showTitle: true, showTime: true, content: { type: 'visualization', visualizationId } })),
  };
  const { id } = await call(page, 'POST', '/api/dashboard/create', { title: 'A board', content });
  // A fresh server runs the queries that ship one after another.
  const ran = async () => (await call(page, 'GET', `/api/dashboard/detail?id=${id}`)).shows.every(({ shown }) => shown);
  const until = Date.now() + 300_000;
  while (!(await ran())) {
    if (Date.now() > until) throw new Error('the queries of the board did not run within five minutes');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const token = await page.evaluate(() => localStorage.getItem('Admin-Token'));
  await page.context().close();
  const path = `/user/dashboard?id=${Buffer.from(id).toString('base64url')}`;
  await opened(browser, server, { name: `dashboard of ${charts.length} widgets`, path, stored: { 'Admin-Token': token }, complete: boardIsThere, argument: charts.length });
}
