// Takes the pictures of the manuals (data/docs/images) and of docs/screens.md: `npm run pictures`, after a change of the
// pages that they show. Everything on them is real: a fresh server, its sample chain, queries that ran.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminPassword, newPage, startBrowser, startServer } from './harness.mjs';
import { call, ended, logIn } from './steps.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const link = (id) => Buffer.from(String(id)).toString('base64url');
const languages = {
  en: { person: 'mara', query: 'Outcome of transactions by day', board: 'A day on the chain', fullness: 'Blocks by day', charts: ['Transactions by outcome', 'Blocks per day', 'How full blocks are, in percent'], note: '# A day on the chain\n\nHow many transactions there are, and how much room is left for more.', dialog: 'Save query' },
  zh: { person: 'wen', query: '每日交易结果', board: '链上一天', fullness: '每日区块', charts: ['按结果统计交易', '每日区块数', '区块填充率（百分比）'], note: '# 链上一天\n\n有多少交易，还剩多少空间。', dialog: '保存查询' },
};
const outcomes = `select date_trunc('day', block_timestamp) as day,
       case when receipt_status = 1 then 'succeeded' else 'failed' end as outcome,
       count(*) as transactions
from transactions
group by 1, 2
order by 1, 2
`;
const fullness = `-- Blocks and how full they were, by day
select date_trunc('day', timestamp) as day,
       count(*) as blocks,
       round(100.0 * sum(gas_used) / sum(gas_limit), 1) as percent_full
from blocks
group by 1
order by 1
`;

let server;
let browser;
/** Turns pictures into WebP, which takes a third of the room. */
let encoder;

async function keep(page, file, quality = 0.82) {
  // Nothing loads or blinks on a picture; what nobody scrolls to may be waiting.
  await page.waitForFunction(() => [...document.querySelectorAll('[class*="skeleton"]')].every((grey) => grey.getBoundingClientRect().top > innerHeight));
  await page.evaluate(() => document.fonts.ready);
  const png = (await page.screenshot({ caret: 'hide', animations: 'disabled' })).toString('base64');
  const webp = await encoder.evaluate(
    async ([data, wanted]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d').drawImage(image, 0, 0);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: wanted })).arrayBuffer());
      return Array.from(bytes);
    },
    [png, quality],
  );
  await mkdir(dirname(root + file), { recursive: true });
  await writeFile(root + file, Buffer.from(webp));
  console.log(`${file}: ${Math.round(webp.length / 1024)} kB`);
}

/** A page in a language and theme, as wide and high as wanted. */
async function open({ language = 'en', theme = 'light', width = 1440, height = 810 }) {
  const page = await newPage(browser, server);
  await page.setViewportSize({ width, height });
  await page.addInitScript(
    ([tongue, look]) => {
      localStorage.setItem('quarry.language', tongue);
      localStorage.setItem('quarry.theme', look);
    },
    [language, theme],
  );
  return page;
}

/** The same person in another look. */
async function as(person, look) {
  const page = await open(look);
  const token = await person.evaluate(() => localStorage.getItem('Admin-Token'));
  await page.addInitScript((known) => localStorage.setItem('Admin-Token', known), token);
  return page;
}

const drawn = (page, least = 1) => page.waitForFunction((wanted) => document.querySelectorAll('[role="img"][data-ready="true"] canvas').length >= wanted, least);

/** A saved query that has run, its charts, and a dashboard of them. */
async function make(page, { query, board, fullness: blocksTitle, charts, note }) {
  const saved = await call(page, 'POST', '/api/query/create', { title: query, what: { kind: 'SQL', text: outcomes }, tags: ['network'] });
  const blocks = await call(page, 'POST', '/api/query/create', { title: blocksTitle, what: { kind: 'SQL', text: fullness } });
  const chart = async (queryId, title, type, options) => (await call(page, 'POST', '/api/visualization/create', { queryId, title, viz: { type, options } })).id;
  const ids = [
    await chart(saved.id, charts[0], 'area', { x: 'day', y: ['transactions'], group: 'outcome' }),
    await chart(blocks.id, charts[1], 'bar', { x: 'day', y: ['blocks'] }),
    await chart(blocks.id, charts[2], 'line', { x: 'day', y: ['percent_full'] }),
  ];
  for (const { id } of [saved, blocks]) {
    const { jobId } = await call(page, 'POST', '/api/query/run/start', { id });
    await ended(page, jobId);
  }
  const widget = (id, content, x, y, w, h) => ({ id, content, layout: { x, y, w, h }, showTitle: true, showTime: true });
  const drawn = (index) => ({ type: 'visualization', visualizationId: ids[index] });
  const widgets = [
    widget('note', { type: 'markdown', text: note }, 0, 0, 4, 4),
    widget('number', { type: 'counter', queryId: blocks.id, options: { column: 'blocks' } }, 0, 4, 4, 3),
    widget('outcome', drawn(0), 4, 0, 8, 7),
    widget('blocks', drawn(1), 0, 7, 6, 7),
    widget('room', drawn(2), 6, 7, 6, 7),
  ];
  const dashboard = await call(page, 'POST', '/api/dashboard/create', { title: board, content: { widgets }, tags: ['network'] });
  return { saved: saved.id, chart: ids[0], dashboard: dashboard.id };
}

async function manuals(language) {
  const words = languages[language];
  const at = (name) => `data/docs/images/${language}/${name}.webp`;
  const page = await open({ language });
  await page.goto('/auth/register');
  await signUp(page, words.person);

  await page.goto(`/user/query?type=sql#q=${encodeURIComponent(fullness)}`);
  await page.locator('.cm-content').getByText('percent_full').waitFor();
  await keep(page, at('query-editor'));
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.locator('.ag-row .ag-cell:not(.is-row-number)').first().waitFor();
  await keep(page, at('query-result'));
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('dialog').getByText(words.dialog).first().waitFor();
  await keep(page, at('query-save'));

  const made = await make(page, words);
  await page.goto(`/user/query?id=${link(made.saved)}&visualizationType=area&visualizationId=${link(made.chart)}`);
  await drawn(page);
  await keep(page, at('chart-builder'));
  await page.goto(`/user/my-dashboard?id=${link(made.dashboard)}`);
  await drawn(page, 3);
  await keep(page, at('dashboard-editor'));
  await page.goto(`/user/dashboard?id=${link(made.dashboard)}`);
  await drawn(page, 3);
  await keep(page, at('dashboard'));
  return { page, made };
}

/** The pages that docs/screens.md shows, as a person with a saved query and as the administrator. */
async function screens({ page: person, made }) {
  const at = (name) => `docs/screens/${name}.webp`;
  const wide = { width: 1920, height: 1080 };
  const light = await as(person, wide);
  const dark = await as(person, { ...wide, theme: 'dark' });
  const visitor = await open(wide);
  const board = (await call(person, 'GET', '/api/discover/dashboards?size=20')).items.find((one) => one.id.endsWith('network')).id;
  const metric = { dashboardId: link(board), visualizationType: 'area', visualizationId: link('starter-transactions-per-day-area'), resolution: '1 Day' };
  await shoot(visitor, '/start', at('start'));
  const thumbnail = 'main img[class*="picture"]';
  await shoot(light, '/home', at('home'), 0, thumbnail);
  await shoot(light, '/community/discover', at('discover'), 0, thumbnail);
  await shoot(light, `/user/dashboard?id=${link(board)}`, at('dashboard'), 4);
  await shoot(dark, `/official/dashboards/visualization?${new URLSearchParams(metric)}`, at('metric-dark'), 1);
  await shoot(dark, `/user/query?id=${link(made.saved)}&visualizationType=area&visualizationId=${link(made.chart)}`, at('query-dark'), 1);
  await shoot(light, '/platform/visualizations', at('gallery'), 6);
  await shoot(dark, '/visualization_model/dapp_relation', at('model-dark'), 0, 'main canvas');
  const phone = await as(person, { width: 390, height: 844 });
  await shoot(phone, `/user/dashboard?id=${link(board)}`, at('phone'), 2);
  const admin = await open(wide);
  await admin.goto('/auth/login?redirect=%2Fsystem%2FdataLink');
  await logIn(admin, 'admin', adminPassword);
  await admin.waitForURL('**/system/dataLink');
  await shoot(admin, '/system/dataLink', at('data-monitor'));
}

/** Opens a page and keeps it once so many charts are drawn, or something stands on it. */
async function shoot(page, path, file, charts = 0, wanted = 'main') {
  await page.goto(path);
  await page.locator(wanted).first().waitFor();
  await page.waitForLoadState('networkidle');
  if (charts > 0) await drawn(page, charts);
  await keep(page, file);
}

/** Registers by the form, in whatever language it is. */
async function signUp(page, name) {
  const form = page.locator('form');
  await form.locator('input').nth(0).fill(name);
  for (const secret of [0, 1]) await form.locator('input[type="password"]').nth(secret).fill('s3cret-enough');
  await form.locator('input[type="checkbox"]').check();
  await form.locator('button[type="submit"]').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'));
}

async function main() {
  [server, browser] = await Promise.all([startServer(), startBrowser({ space: true })]);
  encoder = await browser.newPage();
  const [person] = [await manuals('en'), await manuals('zh')];
  await screens(person);
}

try {
  await main();
} finally {
  await browser?.close();
  await server?.stop();
}
