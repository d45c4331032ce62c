// The way of a new person: register, log in, run a query and watch it, see rows and a chart, stop a long one, and read it
// all in the other language.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomes, keep, newPage, startBrowser, startServer } from './harness.mjs';
import { call, logIn, openQueryPage, register, run, signOut, typeQuery, waitForRows } from './steps.mjs';

let server;
let browser;
let page;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  page = await newPage(browser, server);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('an account with wrong fields is refused with a text beside each', async () => {
  await page.goto('/auth/register');
  await page.getByLabel('User name').fill('Ada!');
  await page.getByLabel('Password', { exact: true }).fill('123');
  await page.getByLabel('Repeat password').fill('1234');
  await page.locator('form').getByRole('button', { name: 'Create account' }).click();
  await page.getByText('User name can only contain a-z, 0-9 and _ , up to 16 characters!').waitFor();
  await page.getByText('Password must be 6 to 20 characters long!').waitFor();
  await page.getByText('Passwords are not matched').waitFor();
  await page.getByText('Please agree to the rules first!').waitFor();
  await keep(page, 'register-problems');
});

test('a person registers, leaves, and logs in again', async () => {
  await register(page, 'ada');
  await signOut(page);
  await page.goto('/auth/login');
  await logIn(page, 'ada', 'wrong-password');
  await page.getByRole('alert').first().waitFor();
  await logIn(page, 'ada');
  await page.getByRole('button', { name: 'Account of ada' }).waitFor();
  await keep(page, 'home');
});

test('a query shows its progress, then rows that are exact', async () => {
  await openQueryPage(page);
  // Long enough to be seen at work, and short enough for a machine that is busy with other things.
  await typeQuery(
    page,
    `select a.hash, cast('340282366920938463463374607431768211455' as varchar) as big, b.value
     from transactions a join transactions b on a.from_address = b.from_address
     where a.block_number % 4 = 0
     order by b.value desc, a.hash, b.hash limit 200`,
  );
  await run(page);
  await page.getByRole('progressbar').first().waitFor();
  await keep(page, 'query-running');
  await waitForRows(page);
  // In a cell: the editor has the same number.
  await page.locator('.ag-cell', { hasText: '340282366920938463463374607431768211455' }).first().waitFor();
  await keep(page, 'query-rows');
});

test('who comes back to a result finds the rows and the order they left', async () => {
  const inSight = (number) => page.waitForFunction((wanted) => [...document.querySelectorAll('.ag-row .is-row-number')].some((cell) => cell.textContent === wanted), number);
  await typeQuery(page, 'select hash, value from transactions order by hash limit 5000');
  await run(page);
  await page.getByText('5,000 rows, 2 columns').waitFor();
  await waitForRows(page);
  await page.locator('.ag-grid-viewport').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight * 0.6));
  await inSight('3,005');
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.waitForURL('**/user/my-query');
  await page.goBack();
  await waitForRows(page);
  await inSight('3,005');
  // The rows at the top, where a grid begins, are not drawn.
  await page.locator('.ag-row[row-index="0"]').first().waitFor({ state: 'detached' });
});

test('a result keeps the order and the formats that were chosen in its heads', async () => {
  const first = () => page.locator('.ag-row[row-index="0"]').locator('[col-id="1"]').first().innerText();
  const head = page.locator('.ag-header-cell[col-id="1"]');
  await head.getByRole('button', { name: /^value/ }).click();
  await page.locator('.ag-header-cell[col-id="1"][aria-sort="descending"]').waitFor();
  await head.getByRole('button', { name: 'Menu of column value' }).click();
  await page.getByRole('menuitem', { name: 'Number format' }).click();
  await page.getByRole('menuitem', { name: 'wei as ETH' }).click();
  await page.locator('.ag-cell[col-id="1"]').getByText(/ ETH$/).first().waitFor();
  await page.locator('.ag-grid-viewport').evaluate((grid) => grid.scrollTo(0, 0));
  const largest = await first();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.waitForURL('**/user/my-query');
  await page.goBack();
  await waitForRows(page);
  await page.locator('.ag-header-cell[col-id="1"][aria-sort="descending"]').waitFor();
  await page.locator('.ag-cell[col-id="1"]').getByText(/ ETH$/).first().waitFor();
  await becomes(first, largest);
});

test('a mistake is underlined where it is', async () => {
  await typeQuery(page, 'select nonsense from blocks');
  await run(page);
  await page.locator('.cm-lintRange-error').first().waitFor();
  await keep(page, 'query-mistake');
});

test('rows become a chart', async () => {
  await typeQuery(
    page,
    "select date_trunc('day', block_timestamp) as day, count(*) as transactions from transactions group by 1 order by 1",
  );
  await run(page);
  // The rows of the query before stand there until the new ones come.
  await page.getByText(/^\d\d rows, 2 columns$/).waitFor();
  await waitForRows(page);
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await result.getByRole('button', { name: 'Visualization' }).click();
  await page.getByRole('radio', { name: 'Line' }).click();
  await page.getByRole('img', { name: /^Line chart/ }).first().waitFor();
  await keep(page, 'query-chart');
});

test('a long query is stopped', async () => {
  await typeQuery(
    page,
    'select a.hash from transactions a cross join transactions b cross join transactions c order by a.value + b.value + c.value, a.hash limit 5',
  );
  let send;
  const held = new Promise((resolve) => {
    send = resolve;
  });
  await page.route('**/api/query/execute', async (route) => {
    await held;
    await route.continue();
  });
  await run(page);
  // Before the server knows of it: who asks so early is asked back as soon as there is something to stop.
  await page.getByRole('button', { name: /^Cancel/ }).click();
  send();
  await page.getByRole('button', { name: 'Stop it' }).click();
  await page.unroute('**/api/query/execute');
  const started = Date.now();
  await page.locator('[data-state="KILLED"]').first().waitFor();
  assert.ok(Date.now() - started < 20_000, 'a person who stops a query is told so within seconds');
  await keep(page, 'query-stopped');
});

test('the job list knows them all', async () => {
  await page.goto('/user/my-query');
  // In the rows: the filter above them has the same words, and is there before them.
  const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('row');
  for (const state of ['Killed', 'Failed']) await rows.filter({ has: page.getByText(state, { exact: true }) }).first().waitFor();
  // Long titles leave the bars their room.
  const bars = await page.getByRole('progressbar').evaluateAll((found) => found.map((bar) => bar.getBoundingClientRect().width));
  assert.ok(bars.length > 0 && bars.every((width) => width > 40), `bars are ${bars.join(', ')} wide`);
  await keep(page, 'jobs');
});

test('the language changes at once and stays', async () => {
  await page.getByRole('button', { name: /Switch to 中文/ }).click();
  const chinese = async () => {
    await page.getByRole('button', { name: /English/ }).waitFor();
    await page.locator('html[lang="zh"]').waitFor({ state: 'attached' });
  };
  await chinese();
  await page.reload();
  await chinese();
  await keep(page, 'jobs-chinese');
});

test('an expired login is renewed on the page, and what is written there and in other tabs goes on', async () => {
  const writer = await newPage(browser, server);
  await register(writer, 'writer');
  const [board] = (await call(writer, 'GET', '/api/discover/dashboards?size=20')).items;
  const begin = async (tab, text) => {
    await tab.goto(`${server.url}/user/dashboard?id=${Buffer.from(String(board.id)).toString('base64url')}`);
    await tab.getByRole('button', { name: /comments?$/i }).click();
    const comment = tab.getByRole('textbox', { name: 'Write a comment' });
    await comment.fill(text);
    return comment;
  };
  const other = await writer.context().newPage();
  const comment = await begin(writer, 'Half a thought');
  const elsewhere = await begin(other, 'The other half');
  await call(writer, 'POST', '/api/user/logout');
  await elsewhere.press('ControlOrMeta+Enter');
  await other.getByRole('alertdialog').waitFor();
  await comment.press('ControlOrMeta+Enter');
  await writer.getByRole('alertdialog').getByText('Your login status has expired, please sign in again!').waitFor();
  await writer.getByLabel('Password', { exact: true }).fill('s3cret-enough');
  await writer.keyboard.press('Enter');
  await writer.getByRole('alertdialog').waitFor({ state: 'detached' });
  assert.equal(await comment.inputValue(), 'Half a thought');
  await writer.getByRole('button', { name: 'Comment', exact: true }).click();
  await writer.getByRole('listitem').getByText('Half a thought').waitFor();
  await other.getByRole('alertdialog').waitFor({ state: 'detached' });
  assert.equal(await elsewhere.inputValue(), 'The other half');
  await other.getByRole('button', { name: 'Comment', exact: true }).click();
  await other.getByRole('listitem').getByText('The other half').waitFor();
});

test('nothing went wrong on the way', () => {
  assert.deepEqual(page.faults, []);
});
