// The route walk: every page of the specification, as a visitor, as a person and as an administrator, in English and in
// Chinese, has its own heading, logs no error, fails no call, and axe finds nothing serious, in the light theme and in the
// dark one. The lists have rows, and no page is wider than a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adminPassword, axeFindings, newPage, readUntil, startBrowser, startServer } from './harness.mjs';

/** Pages that are open at once. */
const ways = 3;

const base64 = (id) => Buffer.from(String(id)).toString('base64url');

let server;
let browser;
/** What pages with an id are opened with. */
let ids;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  ids = await prepare();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function call(method, path, token, body) {
  const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(server.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const { status, data, msg } = await response.json();
  assert.equal(status, 'success', `${method} ${path}: ${msg}`);
  return data;
}

/** People, and something of every kind that has a page. */
async function prepare() {
  const admin = (await call('POST', '/api/user/login', null, { userName: 'admin', password: adminPassword })).token;
  const person = (await call('POST', '/api/user/register', null, { userName: 'walker', password: 's3cret-enough', agree: true })).token;
  const [official] = await call('GET', '/api/official/dashboards');
  const [chart] = official.charts;
  const project = await call('POST', '/api/project/create', person, { title: 'Walk', visibility: 'public' });
  const query = await call('POST', '/api/query/create', person, { title: 'Blocks by day, whose name is longer than a line of a phone has room for', visibility: 'public', tags: ['walk'], what: { kind: 'SQL', text: "select date_trunc('day', timestamp) as day, count(*) as blocks from blocks group by 1 order by 1" } });
  const charts = [];
  for (const [type, options] of [['bar', { x: 'day', y: ['blocks'] }], ['line', { x: 'day', y: ['blocks'] }], ['counter', { column: 'blocks' }], ['table', {}]])
    charts.push((await call('POST', '/api/visualization/create', person, { queryId: query.id, title: `A ${type} of the walk`, viz: { type, options } })).id);
  const widgets = charts.map((visualizationId, at) => ({ id: `w${at}`, content: { type: 'visualization', visualizationId }, layout: { x: (at % 2) * 6, y: at * 4, w: 6, h: 6 }, showTitle: true, showTime: true }));
  const parameters = ['From', 'To'].map((title) => ({ name: title.toLowerCase(), title, type: 'number', default: 0 }));
  const board = await call('POST', '/api/dashboard/create', person, { title: 'Board of the walk', visibility: 'public', content: { widgets, parameters } });
  const { jobId } = await call('POST', '/api/query/run/start', person, { id: query.id });
  let run = { state: 'QUEUED' };
  while (['QUEUED', 'RUNNING'].includes(run.state)) run = await call('GET', `/api/job/${jobId}?wait=20000`, person);
  assert.equal(run.state, 'SUCCEEDED', run.message);
  await call('POST', '/api/project/item/add', person, { id: project.id, itemId: query.id });
  await call('POST', '/api/favorite/add', person, { kind: 'dashboard', id: board.id });
  await call('POST', '/api/dashboard/comment/create', person, { id: board.id, content: 'A comment of the walk.' });
  await call('POST', '/api/feedback/upload', person, { feedbackTitle: 'From the walk', feedbackContent: 'Something to read.', feedbackUrl: server.url });
  await call('POST', '/api/user/api-key/create', person, { name: 'walk', expiresInDays: 30 });
  return { admin, person, official: official.dashboard.id, chart, project: project.id, board: board.id, query: query.id, line: charts[1] };
}

const metric = () => `/official/dashboards/visualization?${new URLSearchParams({ dashboardId: base64(ids.official), visualizationType: ids.chart.visualizationType, visualizationId: base64(ids.chart.visualizationId), resolution: '1 Day' })}`;
const board = () => `/user/dashboard?id=${base64(ids.official)}`;
const project = () => `/projects/detail?id=${base64(ids.project)}`;

const shown = ['/start', '/home', '/official/dashboards', metric, '/community/discover', '/user/dashboards-and-queries?userName=walker', board, '/user/query', '/user/query?type=mr', '/tags', '/projects', project, '/whitePage/preview', '/DeFi/paper', '/DAppRanking', '/blog', '/pricing', '/404'];
const entrances = ['/auth/login', '/auth/register', '/auth/forget'];
const manuals = [
  ...['summarize', 'use-cases/case', 'use-cases/official-dashboard', 'use-cases/other-case', 'direction-for-use/new-query', 'direction-for-use/create-visualization', 'direction-for-use/create-dashboard', 'data-declaration/ETH', 'data-declaration/token', 'function-introduction/query', 'function-introduction/visualization', 'course/query', 'course/sql-course', 'join-us', 'FAQ'].map((path) => `/platform/${path}`),
  ...['change-log', 'introduction/api-key-setup', 'introduction/api-key-restrictions', 'info/general-api-info', 'info/limit', 'info/data-sources'].map((path) => `/developer-apis/${path}`),
  ...['address', 'blockchain', 'fees', 'market', 'mining', 'protocols', 'supply', 'transactions'].map((product) => `/developer-apis/${product}-api/summary`),
];
const models = ['overview', 'token', 'eth_network_curve/20261030', 'dapp_relation/20210728', 'dapp-user/202610', 'realtime_model', 'dao_model', 'miner_model', 'realtime_model_3D', 'ethNetworkCurve_model_3D/20261030', 'vampire_attack_model', 'air_drop_model', 'uniswap_realtime_model', 'airdrop_model', 'test', 'test/3hop', 'test/graph'].map((path) => `/visualization_model/${path}`);
const myQuery = () => `/user/query?id=${base64(ids.query)}&visualizationType=line&visualizationId=${base64(ids.line)}`;
const own = [myQuery, '/auth/reset', '/community/favorites', '/community/my-creations', '/user/info', '/user/my-dashboard', () => `/user/my-dashboard?id=${base64(ids.board)}`, () => `/user/my-dashboard/preview?id=${base64(ids.board)}`, '/user/my-query', '/user/my-query?type=hive', '/user/query?type=sql', '/chatpage'];
const office = ['user', 'role', 'permission', 'dataLink', 'cluster', 'plantform-manage/user', 'plantform-manage/revenue', 'user-behavior/login-and-logout', 'user-behavior/online-users', 'user-behavior/user-dashboard-operate', 'message-record/mail', 'message-record/message', 'file-manage', 'jobList', 'feedback', 'dapp/reflect', 'dapp/info', 'score', 'white-paper', 'web-access', 'audit'].map((path) => `/system/${path}`);

/** A page that keeps what fails on it: its own faults and the calls it made. */
async function walker(token, language) {
  const page = await newPage(browser, server, { 'quarry.language': language, ...(token ? { 'Admin-Token': token } : {}) });
  page.on('response', (response) => response.status() >= 400 && page.faults.push(`${response.status()} ${response.url()}`));
  // A call that was under way when the page was left is no failure.
  page.on('requestfailed', (request) => request.failure()?.errorText !== 'net::ERR_ABORTED' && page.faults.push(request.url()));
  return page;
}

/** The heading of the page, once nothing is loading any more, and whether there is something below it: texts of another language come later. */
async function settled(page) {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  const look = () =>
    page.evaluate(() => {
      const heading = document.querySelector('h1')?.textContent.trim() ?? '';
      return { heading, empty: (document.querySelector('main')?.textContent.trim() ?? '').length <= heading.length };
    });
  return readUntil(look, ({ heading, empty }) => heading !== '' && !empty);
}

/** Whether the page fits a phone, once it is laid out anew; what is drawn follows a moment later. */
async function fitsPhone(page) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const fits = await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth).then(
    () => true,
    () => false,
  );
  await page.setViewportSize(before);
  return fits;
}

/** Turns the page into the other language: by its own button where it has one. */
async function turn(page, language) {
  const button = page.locator('button[title="Switch to 中文"], button[title="切换到 English"]');
  if ((await button.count()) > 0) await button.first().click();
  else {
    await page.evaluate((chosen) => localStorage.setItem('quarry.language', chosen), language);
    await page.reload();
  }
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
}

/** Walks along the paths; each is opened in one language and the light theme, and turned to the other language and dark. */
async function walk(paths, token) {
  const found = [];
  const headings = new Map();
  const ahead = paths.values();
  const own = (path, { pathname }, { heading, empty }) => {
    if (empty) found.push(`${path} shows nothing below its heading`);
    const other = headings.get(heading) ?? pathname;
    if (heading === '' || other !== pathname) found.push(`${path} has the heading of ${other}: "${heading}"`);
    headings.set(heading, pathname);
  };
  const way = async () => {
    const languages = ['en', 'zh'];
    const page = await walker(token, languages[0]);
    // The ways share one list: each takes the next path that nobody has taken.
    for (const made of ahead) {
      const path = typeof made === 'function' ? made() : made;
      const wanted = new URL(path, server.url);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(path);
      own(path, wanted, await settled(page));
      for (const finding of await axeFindings(page)) found.push(`${path} (${languages[0]}): ${finding}`);
      if (new URL(page.url()).pathname !== wanted.pathname) found.push(`${path} led to ${page.url()}`);
      languages.reverse();
      await page.emulateMedia({ colorScheme: 'dark' });
      await turn(page, languages[0]);
      own(path, wanted, await settled(page));
      // The themes differ in nothing but their colours.
      for (const finding of await axeFindings(page, 'color-contrast')) found.push(`${path} (${languages[0]}, dark): ${finding}`);
      if (!(await fitsPhone(page))) found.push(`${path} is wider than a phone`);
      found.push(...page.faults.splice(0).map((fault) => `${path}: ${fault}`));
    }
    await page.context().close();
  };
  await Promise.all(Array.from({ length: ways }, way));
  assert.deepEqual(found, []);
}

test('a visitor walks through the open pages', () => walk([...shown, ...entrances], null));
test('a visitor walks through the manuals', () => walk(manuals, null));
test('a person walks through the own pages', () => walk(own, ids.person));
test('a person walks through the models', () => walk(models, ids.person));
test('a visitor walks through the models', () => walk(models, null));
test('an administrator walks through the back office', () => walk(office, ids.admin));
