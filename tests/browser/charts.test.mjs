// The gallery: every chart type drawn from a query's result, in both themes, with pictures for the eye; the numbers behind
// a chart, and its files.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { axeFindings, keep, newPage, startBrowser, startServer } from './harness.mjs';
import { register } from './steps.mjs';

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
    assert.equal(await page.locator('[data-type][data-drawn="true"]').count(), types.length);
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
  assert.equal(await visitor.locator('[data-type] pre').count(), types.length);
  assert.deepEqual(await axeFindings(visitor), []);
  assert.deepEqual(visitor.faults, []);
  await visitor.context().close();
});

test('nothing went wrong on the way', () => {
  assert.deepEqual(page.faults, []);
});
