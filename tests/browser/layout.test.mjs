// How every page is laid out: its scale, the sidebar, the floating widget, and where a page starts after a navigation.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomes, keep, newPage, startBrowser, startServer } from './harness.mjs';
import { register } from './steps.mjs';

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Sizes of the root's font and of running text, in pixels. */
const sizes = (page) => page.evaluate(() => [document.documentElement, document.body].map((element) => Math.round(parseFloat(getComputedStyle(element).fontSize))));

test('text is 16 pixels large on a page 1920 wide, and the layout shrinks with the page down to phones', async () => {
  const page = await newPage(browser, server);
  await page.goto('/home');
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const [width, root, text] of [[1920, 100, 16], [2400, 100, 16], [1440, 75, 14], [1199, 62, 14], [960, 50, 14], [768, 40, 14], [767, 100, 16], [390, 100, 16]]) {
    await page.setViewportSize({ width, height: 900 });
    await becomes(() => sizes(page), [root, text], `${width} wide`);
    await becomes(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${width} wide`);
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the sidebar stays as it was left, on pages and in workbenches, also after a reload', async () => {
  const page = await newPage(browser, server);
  const open = () => page.locator('aside[data-open]').getAttribute('data-open');
  const isOpen = async (path, wanted) => {
    await page.goto(path);
    await becomes(open, String(wanted), path);
  };
  await isOpen('/home', true);
  await isOpen('/user/query', false);
  await page.getByRole('button', { name: 'Open sidebar' }).click();
  await isOpen('/user/query', true);
  await isOpen('/visualization_model/overview', true);
  await page.getByRole('button', { name: 'Close sidebar' }).click();
  for (const path of ['/home', '/community/discover', '/user/query']) await isOpen(path, false);
  await page.context().close();
});

test('the widget is on the page of a new password too', async () => {
  const page = await newPage(browser, server);
  await register(page, 'ada');
  await page.goto('/auth/reset');
  await page.getByRole('heading', { name: 'Change password' }).waitFor();
  const widget = page.getByRole('complementary', { name: 'Messages and feedback' });
  await widget.getByRole('button', { name: 'Feedback' }).click();
  await page.getByLabel('Title').waitFor();
  await keep(page, 'reset-with-widget');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('what changes only the query string leads to the top, and tabs and filters keep the place, there and back', async () => {
  const page = await newPage(browser, server);
  await page.setViewportSize({ width: 1920, height: 500 });
  const top = () => page.evaluate(() => scrollY);
  const scrolled = async () => {
    await page.waitForFunction(() => document.documentElement.scrollHeight > innerHeight + 150);
    await page.evaluate(() => scrollTo(0, 120));
  };
  // From one metric to another.
  await page.goto('/official/dashboards');
  await page.getByRole('link', { name: 'Active addresses' }).first().click();
  await page.waitForURL('**/official/dashboards/visualization?*');
  await page.getByRole('heading', { level: 1, name: 'Active addresses' }).waitFor();
  await scrolled();
  await page.getByRole('link', { name: 'Time between blocks' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Time between blocks' }).waitFor();
  await becomes(top, 0);
  await scrolled();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Active addresses' }).waitFor();
  await becomes(top, 0);
  // Tabs and filters.
  await page.goto('/community/discover?tab=queries');
  await page.getByRole('table').or(page.getByRole('list')).first().waitFor();
  await scrolled();
  await page.getByText('Time', { exact: true }).click();
  await page.waitForURL('**sort=time**');
  assert.equal(await top(), 120);
  await page.goBack();
  await page.waitForFunction(() => !location.search.includes('sort=time'));
  assert.equal(await top(), 120);
  await page.context().close();
});
