// What people without a mouse or without a screen need beyond the route walk: dialogs give the focus back, Tab leaves a grid of
// any size, and rows are rows while they load.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, hasFocus, newPage, startBrowser, startServer, until } from './harness.mjs';
import { call, openQueryPage, register, run, typeQuery, waitForRows } from './steps.mjs';

let server;
let browser;
let page;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  page = await newPage(browser, server);
  await register(page, 'keys');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('a dialog opened by Enter and closed by Escape gives the focus back', async () => {
  for (const [path, name] of [['/projects', 'New project'], ['/user/info', 'Generate key']]) {
    await page.goto(path);
    const opener = page.getByRole('button', { name }).first();
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await axeFindings(page), [], name);
    await until(() => page.evaluate(() => document.activeElement.closest('dialog') !== null), `${name}: the focus is outside`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(opener, `${name}: the focus is lost`);
  }
});

test('a drawer takes the keyboard to its first control, not to its frame, and gives it back', async () => {
  await openQueryPage(page);
  const decoder = page.getByRole('button', { name: 'Decoder' });
  await decoder.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.waitFor();
  await hasFocus(drawer.getByRole('radio', { name: 'Transactions' }), 'the first control has not the focus');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await hasFocus(decoder, 'the button has not the focus again');
});

test('so does a dialog with a form, and one that stays on the page beside it', async () => {
  await openQueryPage(page);
  await typeQuery(page, 'select 1');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('dialog').waitFor();
  await hasFocus(page.getByRole('dialog').getByRole('textbox').first(), 'the first field has not the focus');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hasFocus(page.locator('.cm-content'), 'the editor has not the focus again');

  // A window of middle width keeps the tables in a drawer that is only hidden: it starts anew each time.
  await page.setViewportSize({ width: 1000, height: 900 });
  await openQueryPage(page);
  assert.deepEqual(await axeFindings(page), []);
  const tables = page.getByRole('button', { name: 'Tables' });
  for (let time = 0; time < 2; time += 1) {
    await tables.focus();
    await page.keyboard.press('Enter');
    const search = page.getByPlaceholder('Search tables and columns');
    await search.waitFor();
    await hasFocus(search, 'the search has not the focus');
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });
    await hasFocus(tables, 'the button has not the focus again');
  }
  await page.setViewportSize({ width: 1920, height: 1080 });
});

test('the arrows move in a grid, and Tab leaves it', async () => {
  await openQueryPage(page);
  await typeQuery(page, 'select number, hash, gas_used from blocks order by number limit 50');
  await run(page);
  await waitForRows(page);
  await page.locator('.ag-row[row-index="0"] .ag-cell[col-id="0"]').click();
  await page.keyboard.press('ArrowRight');
  await hasFocus(page.locator('.ag-row[row-index="0"] .ag-cell[col-id="1"]'), 'the next cell has not the focus');
  await page.keyboard.press('Tab');
  await until(() => page.evaluate(() => document.activeElement.closest('.ag-row') === null), 'Tab went to another cell');
});

test('rows that are still loading are rows to those who hear the page', async () => {
  let answer;
  const held = new Promise((resolve) => {
    answer = resolve;
  });
  await page.route(/\/result\?offset=(?!0&)/, async (route) => {
    await held;
    await route.continue();
  });
  await typeQuery(page, 'select hash, value from transactions order by hash limit 3000');
  await run(page);
  await page.getByText('3,000 rows, 2 columns').waitFor();
  await page.locator('.ag-grid-viewport').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight * 0.6));
  await page.locator('.grid-row-loading').first().waitFor();
  assert.deepEqual(await axeFindings(page), []);
  answer();
  await page.locator('.grid-row-loading').first().waitFor({ state: 'detached' });
  await page.unroute(/\/result\?offset=(?!0&)/);
});

test('a long name makes no dialog wider than a phone', async () => {
  const project = await call(page, 'POST', '/api/project/create', { title: 'Narrow', visibility: 'private' });
  await call(page, 'POST', '/api/query/create', { title: 'A query whose name is far longer than a line of a phone has room for, and goes on', what: { kind: 'SQL', text: 'select 1' } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/projects/detail?id=${Buffer.from(project.id ?? project).toString('base64url')}`);
  await page.getByRole('button', { name: 'Add items' }).first().click();
  await page.getByRole('dialog').getByText('A query whose name').waitFor();
  assert.deepEqual(await page.getByRole('dialog').evaluate((dialog) => [dialog.scrollWidth <= dialog.clientWidth, dialog.getBoundingClientRect().right <= innerWidth]), [true, true]);
  await page.setViewportSize({ width: 1920, height: 1080 });
});

test('nothing went wrong on the way', () => {
  assert.deepEqual(page.faults, []);
});
