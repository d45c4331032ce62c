// The gallery: every chart type drawn from a query's result, in both themes, with pictures for the eye; the numbers behind
// a chart, and its files.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { axeFindings, becomes, keep, newPage, startBrowser, startServer } from './harness.mjs';
import { call, ended, register } from './steps.mjs';

const types = [
  'table', 'counter', 'pie', 'bar', 'line', 'area', 'scatter', 'radar', 'funnel', 'heatmap', 'bar3d', 'boxplot', 'parallel',
  'tree', 'sankey', 'sunburst', 'themeRiver', 'graph', 'gauge',
];
let server;
let browser;
let page;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser({ space: true })]);
  page = await newPage(browser, server);
  await register(page, 'chartist');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const card = (type) => page.locator(`[data-type="${type}"][data-drawn]`);

/** Opens the gallery in a theme and answers when every type is drawn. */
async function openGallery(theme) {
  await page.evaluate((wanted) => localStorage.setItem('quarry.theme', wanted), theme);
  await page.goto('/platform/visualizations');
  for (const type of types) {
    await card(type).scrollIntoViewIfNeeded();
    await page.locator(`[data-type="${type}"][data-drawn="true"]`).waitFor();
    const drawn = type === 'table' ? card(type).locator('.ag-row').first() : type === 'counter' ? card(type).getByText(/%/) : card(type).locator('[role="img"][data-ready="true"] canvas').first();
    await drawn.waitFor();
  }
}

for (const theme of ['light', 'dark']) {
  test(`every type is drawn from a query in the ${theme} theme`, async () => {
    await openGallery(theme);
    await becomes(() => page.locator('[data-type][data-drawn="true"]').count(), types.length);
    for (const type of types) {
      await card(type).scrollIntoViewIfNeeded();
      await keep(card(type), `chart-${type}-${theme}`);
    }
    assert.deepEqual(await axeFindings(page), []);
  });
}

test('the numbers behind a chart are listed and saved', async () => {
  const pie = card('pie');
  await pie.getByRole('button', { name: 'Show as table' }).click();
  await pie.locator('.ag-row').getByText('dynamic fee').waitFor();
  await pie.getByRole('button', { name: 'Save chart' }).click();
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Numbers (CSV)' }).click()]);
  const text = await readFile(await csv.path(), 'utf8');
  assert.match(text, /^kind,transactions,Percent\r\n/);
  assert.equal(text.trim().split('\r\n').slice(1).map((line) => BigInt(line.split(',')[1])).reduce((a, b) => a + b), 150_000n);
});

test('a chart is saved as a picture of dots and of lines', async () => {
  const bar = card('bar');
  for (const [name, head] of [['Picture (PNG)', Buffer.from([0x89, 0x50, 0x4e, 0x47])], ['Vector picture (SVG)', Buffer.from('<svg')]]) {
    await bar.getByRole('button', { name: 'Save chart' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()]);
    const bytes = await readFile(await file.path());
    assert.deepEqual(bytes.subarray(0, head.length), head);
  }
});

test('a visitor reads the queries', async () => {
  const visitor = await newPage(browser, server);
  await visitor.goto('/platform/visualizations');
  await visitor.getByText('Log in to have the charts drawn').waitFor();
  await becomes(() => visitor.locator('[data-type] pre').count(), types.length);
  assert.deepEqual(await axeFindings(visitor), []);
  assert.deepEqual(visitor.faults, []);
  await visitor.context().close();
});

test('a board is printed with what nobody scrolled to, and its notes to their end', async () => {
  const text = Array.from({ length: 30 }, (_, at) => `Line ${at + 1} of a long note.`).join('\n\n');
  const layout = (y, h) => ({ x: 0, y, w: 12, h });
  const widgets = [
    { id: 'note', content: { type: 'markdown', text }, layout: layout(0, 4), showTitle: true, showTime: true },
    { id: 'space', content: { type: 'text', text: 'Far above' }, layout: layout(4, 60), showTitle: true, showTime: true },
    { id: 'far', content: { type: 'visualization', visualizationId: 'starter-transactions-per-day-area' }, layout: layout(64, 8), showTitle: true, showTime: true },
  ];
  const { id } = await call(page, 'POST', '/api/dashboard/create', { title: 'On paper', content: { widgets } });
  await page.goto(`/user/dashboard?id=${Buffer.from(String(id)).toString('base64url')}`);
  const note = page.locator('[data-widget="note"]').getByRole('group');
  await note.waitFor();
  assert.equal(await page.locator('[data-widget="far"] canvas').count(), 0);
  // The browser's dialog can't be answered: what it would print is looked at in its place.
  await page.evaluate(() => {
    window.print = () => {
      const view = document.querySelector('[data-widget="note"] [role="group"]');
      const article = document.querySelector('[data-widget="note"]');
      window.printed = { charts: document.querySelectorAll('[data-widget="far"] canvas').length, cut: view.getBoundingClientRect().bottom > article.getBoundingClientRect().bottom + 1 || view.scrollHeight > view.clientHeight + 1 };
      dispatchEvent(new Event('afterprint'));
    };
  });
  await page.getByRole('button', { name: 'More about this dashboard' }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  await page.waitForFunction(() => window.printed);
  assert.deepEqual(await page.evaluate(() => window.printed), { charts: 1, cut: false });
  await page.waitForFunction(() => document.documentElement.dataset.paper === undefined);
});

test('a table is printed and pictured with rows that were not in view, in the order they were given, and says how many are left out', async () => {
  const { id: queryId } = await call(page, 'POST', '/api/query/create', { title: 'All blocks', what: { kind: 'SQL', text: 'select number, hash from blocks order by number' } });
  const { jobId } = await call(page, 'POST', '/api/query/run/start', { id: queryId });
  await ended(page, jobId);
  const { id: visualizationId } = await call(page, 'POST', '/api/visualization/create', { queryId, title: 'All blocks', viz: { type: 'table', options: {} } });
  const widgets = [{ id: 'rows', content: { type: 'visualization', visualizationId }, layout: { x: 0, y: 0, w: 6, h: 6 }, showTitle: true, showTime: true }];
  const { id } = await call(page, 'POST', '/api/dashboard/create', { title: 'Rows on paper', content: { widgets } });
  await page.goto(`/user/dashboard?id=${Buffer.from(String(id)).toString('base64url')}`);
  await page.locator('.ag-row[row-index="0"]').first().waitFor();
  await page.locator('.ag-header-cell[col-id="0"]').getByRole('button', { name: /^number/ }).click();
  await page.locator('.ag-row[row-index="0"]').getByText('1,980', { exact: true }).waitFor();
  await page.evaluate(() => {
    window.print = () => {
      const card = document.querySelector('[data-widget="rows"]');
      const rows = [...card.querySelectorAll('tbody tr')];
      const end = card.querySelector('p');
      window.printed = { rows: rows.length, first: rows[0].cells[0].textContent, note: end.textContent, cut: end.getBoundingClientRect().bottom > card.getBoundingClientRect().bottom };
      dispatchEvent(new Event('afterprint'));
    };
  });
  await page.getByRole('button', { name: 'More about this dashboard' }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  await page.waitForFunction(() => window.printed);
  assert.deepEqual(await page.evaluate(() => window.printed), { rows: 200, first: '1,980', note: 'These are the first 200 rows; 1,781 more rows are not shown here.', cut: false });
  // The screen has its grid back, in the same order.
  await page.locator('.ag-row[row-index="0"]').getByText('1,980', { exact: true }).waitFor();

  // A picture holds the same rows; its height stands in the head of the file.
  await page.getByRole('button', { name: 'More about this dashboard' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Save as picture (PNG)' }).click()]);
  const height = (await readFile(await file.path())).readUInt32BE(20);
  assert.ok(height > 200 * 2 * 16, `two hundred rows are ${height} pixels high`);
  await page.locator('.ag-row[row-index="0"]').getByText('1,980', { exact: true }).waitFor();
});

test('nothing went wrong on the way', () => {
  assert.deepEqual(page.faults, []);
});
