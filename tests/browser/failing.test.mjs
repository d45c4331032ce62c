// What fails alone: code that could not be loaded is asked for again without loading the page anew, and what went wrong is told
// also where one part of the page fills the screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newPage, startBrowser, startServer } from './harness.mjs';
import { call, openQueryPage, register, run, typeQuery, waitForRows } from './steps.mjs';

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The grid alone with its styles, not what other parts share with it. */
const grid = /\/assets\/grid-[\w-]{8}\.(js|css)$/;

test('a grid whose code did not come leaves the editor, and is there with another try', async () => {
  const page = await newPage(browser, server);
  await register(page, 'retrier');
  await page.route(grid, (route) => route.abort());
  await openQueryPage(page);
  await typeQuery(page, 'select number from blocks order by number limit 5');
  await run(page);
  const told = page.locator('#query-result').getByRole('alert');
  await told.getByText('could not be loaded').waitFor();
  assert.match(await page.locator('.cm-content').innerText(), /limit 5/);
  // Still away: it says so again, once it has asked.
  const asked = page.waitForRequest(grid);
  await told.getByRole('button', { name: 'Try again' }).click();
  await asked;
  await told.getByText('could not be loaded').waitFor();
  await page.unroute(grid);
  await page.evaluate(() => {
    globalThis.samePage = true;
  });
  await told.getByRole('button', { name: 'Try again' }).click();
  await waitForRows(page);
  assert.equal(await page.evaluate(() => globalThis.samePage), true);
  assert.ok(await page.evaluate(() => [...document.querySelectorAll('link[href*="/grid-"]')].some(({ rel, sheet }) => rel === 'stylesheet' && sheet !== null)), 'the grid has its styles');
  await page.context().close();
});

test('who waits for the first code in vain is told so after two minutes', async () => {
  const page = await newPage(browser, server, { 'quarry.language': 'zh' });
  let hangs = true;
  await page.route(/\/assets\/.*\.js$/, (route) => (hangs ? undefined : route.continue()));
  await page.goto('/home', { waitUntil: 'commit' });
  const told = page.getByText('页面未能加载');
  await told.waitFor({ state: 'attached' });
  assert.equal(await told.isVisible(), false);
  const wait = await page.evaluate(() => {
    const late = document.getAnimations().find(({ animationName }) => animationName === 'boot-late');
    const { delay } = late.effect.getTiming();
    late.finish();
    return delay;
  });
  assert.equal(wait, 120_000);
  await told.waitFor();
  hangs = false;
  await told.getByRole('link', { name: '重新加载' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.context().close();
});

test('a notice is seen where a dashboard fills the screen, and so is what opens there', async () => {
  const page = await newPage(browser, server);
  await register(page, 'filler');
  const parameters = [{ name: 'day', title: 'Day', type: 'list', options: ['Monday', 'Sunday'] }];
  const widgets = [{ id: 'w', content: { type: 'text', text: 'Hello' }, layout: { x: 0, y: 0, w: 6, h: 3 } }];
  const { id } = await call(page, 'POST', '/api/dashboard/create', { title: 'Full board', content: { parameters, widgets } });
  await page.goto(`/user/dashboard?id=${Buffer.from(id).toString('base64url')}`);
  const more = page.getByRole('button', { name: 'More about this dashboard' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Full screen' }).click();
  await page.waitForFunction(() => document.fullscreenElement !== null);
  const inside = (selector) => page.waitForFunction((wanted) => [...document.fullscreenElement.querySelectorAll(wanted)].some((one) => one.checkVisibility()), selector);

  await page.getByLabel('Day').click();
  await inside('.ant-select-dropdown');
  await page.keyboard.press('Escape');

  await page.route('**/assets/export-*.js', (route) => route.abort());
  await more.click();
  await page.getByRole('menuitem', { name: 'Save as picture (PNG)' }).click();
  await inside('[role="alert"]');
  await page.context().close();
});
