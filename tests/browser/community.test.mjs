// What visitors and creators do with what others made: find it, mark it, copy it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, becomes, keep, newPage, startBrowser, startServer } from './harness.mjs';
import { call, ended, logIn, register, signOut } from './steps.mjs';

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The row of a list with this title. */
const row = (page, title) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

async function openDiscover(page, search = '') {
  await page.goto(`/community/discover${search}`);
  await row(page, /./).first().waitFor();
}

/** Keeps pictures in both themes and fails on what axe finds. */
async function look(page, name) {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((wanted) => {
      document.documentElement.dataset.theme = wanted;
    }, theme);
    await keep(page, `${name}-${theme}`);
    assert.deepEqual(await axeFindings(page), [], `${name} in the ${theme} theme`);
  }
}

test('a visitor finds what others made', async () => {
  const page = await newPage(browser, server);
  await openDiscover(page);
  await page.locator('main img').first().waitFor();
  await look(page, 'discover');

  await page.getByRole('link', { name: /^Queries/ }).click();
  // The tab with all its queries: what the search leaves out is there before.
  await row(page, 'Largest ether transfers').waitFor();
  await page.getByRole('searchbox').fill('tag:fees "base fee"');
  await page.waitForURL(/tab=queries.*search=tag%3Afees/);
  await row(page, 'Largest ether transfers').waitFor({ state: 'detached' });
  await row(page, 'Base fee').waitFor();

  // The address holds the whole state.
  await page.reload();
  await row(page, 'Base fee').waitFor();
  await becomes(() => page.getByRole('searchbox').inputValue(), 'tag:fees "base fee"');

  await page.getByRole('searchbox').fill('no such thing');
  await page.getByText('No query yet').waitFor();
  await look(page, 'discover-empty');
  // Right after the first start queries have no result yet; their pictures are asked for again until there is one.
  page.faults = page.faults.filter((fault) => !fault.includes('404 (Not Found)'));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('discover comes back as it was left', async () => {
  const page = await newPage(browser, server);
  await page.setViewportSize({ width: 1920, height: 600 });
  await openDiscover(page, '?tab=queries&sort=time');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await page.evaluate(() => scrollTo(0, 120));
  await menu.getByRole('link', { name: 'Home' }).click();
  await page.waitForURL('**/home');
  await page.waitForFunction(() => scrollY === 0);
  await menu.getByRole('link', { name: 'Discover' }).click();
  await page.waitForURL('**/community/discover?tab=queries&sort=time');
  await page.waitForFunction(() => scrollY === 120);
  await page.context().close();
});

test('a favourite is counted at once and stays; a visitor is asked to log in for it', async () => {
  const page = await newPage(browser, server);
  await openDiscover(page);
  await row(page, 'Network').getByRole('button', { name: /^Favorite Network/ }).click();
  await page.waitForURL('**/auth/login?redirect=%2Fcommunity%2Fdiscover');

  await register(page, 'lovelace');
  await openDiscover(page);
  const star = row(page, 'Network').getByRole('button', { name: /^Favorite Network/ });
  const marked = row(page, 'Network').getByRole('button', { name: /^Favorite Network/, pressed: true });
  const saved = page.waitForResponse('**/api/favorite/add');
  // Before the server has answered.
  let send;
  const held = new Promise((resolve) => {
    send = resolve;
  });
  await page.route('**/api/favorite/add', async (route) => {
    await held;
    await route.continue();
  });
  await star.click();
  await marked.getByText('1', { exact: true }).waitFor();
  send();
  await saved;
  await page.reload();
  await marked.waitFor();
  await page.context().close();
});

test('a creator makes a project, fills and orders it, and takes things back', async () => {
  const page = await newPage(browser, server);
  await register(page, 'noether');
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.getByText('Title is required!').waitFor();
  await dialog.getByLabel('Title').fill('Who pays for gas');
  await dialog.getByLabel('Tags').fill('a tag that is much too long');
  await dialog.getByText('A tag has at most 15 characters!').waitFor();
  await dialog.getByLabel('Tags').fill('gas');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { level: 1, name: 'Who pays for gas' }).waitFor();

  await page.getByRole('button', { name: 'Add items' }).first().click();
  for (const title of ['Fees and gas', 'Base fee']) {
    await dialog.getByRole('searchbox').fill(title);
    await dialog.getByRole('button', { name: `Add ${title}`, exact: true }).click();
    await dialog.getByRole('button', { name: `Add ${title}`, exact: true }).waitFor({ state: 'detached' });
  }
  await dialog.getByRole('button', { name: 'Close' }).click();
  const titles = () => page.getByRole('heading', { level: 3 }).allTextContents();
  await becomes(titles, ['Fees and gas', 'Base fee']);
  await row(page, 'Base fee').getByRole('button', { name: /^More about/ }).click();
  const arranged = page.waitForResponse('**/api/project/item/arrange');
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await arranged;
  await becomes(titles, ['Base fee', 'Fees and gas']);

  await row(page, 'Fees and gas').getByRole('button', { name: /^More about/ }).click();
  await page.getByRole('menuitem', { name: 'Take out of the project' }).click();
  await row(page, 'Fees and gas').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Fees and gas').waitFor();
  await look(page, 'project');

  // Deleting leaves the list at once and can be taken back.
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/projects?of=me');
  await page.getByText('Deleted: Who pays for gas').waitFor();
  await page.getByRole('region', { name: 'Projects' }).locator('ul[aria-busy="false"]').waitFor();
  assert.equal(await row(page, 'Who pays for gas').count(), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Who pays for gas').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('favourites are listed, and an unmarked one can be marked again', async () => {
  const page = await newPage(browser, server);
  await register(page, 'hypatia');
  await openDiscover(page);
  const saved = page.waitForResponse('**/api/favorite/add');
  await row(page, 'Fees and gas').getByRole('button', { name: /^Favorite/ }).click();
  await saved;
  await page.goto('/community/favorites');
  await row(page, 'Fees and gas').waitFor();
  await look(page, 'favorites');
  await row(page, 'Fees and gas').getByRole('button', { name: /^Favorite/ }).click();
  await page.getByText('No dashboard yet').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Fees and gas').waitFor();
  await page.context().close();
});

test('an address, its tags, and everything that carries one', async () => {
  const page = await newPage(browser, server);
  await register(page, 'curie');
  const { jobId } = await call(page, 'POST', '/api/query/execute', { kind: 'SQL', text: 'select from_address from transactions group by 1 order by count(*) desc limit 1' });
  await ended(page, jobId);
  const [[address]] = (await call(page, 'GET', `/api/job/${jobId}/result`)).rows;
  await page.goto('/community/discover?tab=addresses');
  await page.getByRole('searchbox').fill(address);
  await page.getByRole('link', { name: address }).click();
  await page.getByRole('heading', { level: 1, name: address }).waitFor();
  await page.getByText('Newest transactions').waitFor();
  const tagged = page.waitForResponse('**/api/tag/add');
  await page.getByLabel('Add tag').fill('busy sender');
  await page.keyboard.press('Enter');
  await tagged;
  await page.getByRole('link', { name: 'busy sender' }).waitFor();
  await look(page, 'address');
  await page.getByRole('link', { name: 'busy sender' }).click();
  await page.waitForURL('**/tags?tag=busy+sender');
  await page.getByRole('link', { name: /^Addresses/ }).click();
  await page.getByRole('link', { name: address }).waitFor();
  await page.goto('/tags');
  await page.getByRole('button', { name: 'Remove tag busy sender' }).waitFor();
  await look(page, 'tags');
  await page.getByRole('button', { name: 'Remove tag busy sender' }).click();
  await page.getByText('Removed tag: busy sender').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a creator has a page; nobody has none, and a broken id leads to /404', async () => {
  const page = await newPage(browser, server);
  await page.goto('/user/dashboards-and-queries?userName=quarry');
  await row(page, 'Fees and gas').waitFor();
  await look(page, 'creator');
  assert.deepEqual(page.faults, []);
  await page.goto('/user/dashboards-and-queries?userName=nobody_at_all');
  await page.getByText('No such user!').waitFor();
  for (const path of ['/projects/detail?id=not+base64', '/projects/detail', '/community/address?id=bm8gYWRkcmVzcw']) {
    await page.goto(path);
    await page.waitForURL('**/404');
  }
  await page.context().close();
});

test('a person says who they are, with a picture of the right kind', async () => {
  const page = await newPage(browser, server);
  await register(page, 'meitner');
  await page.getByRole('button', { name: 'Account of meitner' }).click();
  await page.getByRole('menuitem', { name: 'Edit personal info' }).click();
  await page.getByRole('textbox', { name: 'Career' }).fill('Analyst');
  await page.getByLabel('Tags').fill('gas');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  await becomes(() => page.getByRole('textbox', { name: 'Career' }).inputValue(), 'Analyst');
  await page.getByRole('button', { name: 'Remove gas' }).waitFor();
  // Others find the person by it.
  await page.goto('/tags?tag=gas&tab=creators');
  await page.getByRole('link', { name: 'meitner', exact: true }).waitFor();
  await page.goto('/user/info');

  const picture = page.locator('input[type="file"]');
  await picture.setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<p>') });
  await page.getByText('Uploaded avatar pictures can only be in JPG / jpeg / PNG / GIF format!').waitFor();
  await picture.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(2 * 1024 * 1024) });
  await page.getByText('The size of uploaded avatar image cannot exceed 2MB!').waitFor();
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  await picture.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') });
  await page.getByText('Your picture was changed.').waitFor();
  await page.locator('main img').waitFor();
  await look(page, 'user-info');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a password is changed by who knows the old one', async () => {
  const page = await newPage(browser, server);
  await page.goto('/auth/reset');
  await page.waitForURL('**/auth/login?redirect=%2Fauth%2Freset');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByText('Codes cannot be sent from here.').waitFor();

  await register(page, 'johnson');
  await page.goto('/auth/reset');
  const fill = async (current, next, repeat) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByLabel('Repeat password').fill(repeat);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await fill('not-it-at-all', 'an0ther_one', 'an0ther_two');
  await page.getByText('Passwords are not matched').waitFor();
  await page.getByLabel('Repeat password').fill('an0ther_one');
  const refused = page.waitForResponse('**/api/user/password/reset');
  await page.getByRole('button', { name: 'Change password' }).click();
  assert.equal((await refused).status(), 400);
  await page.getByText('Reset password failed! Please check your current password!').waitFor();
  await look(page, 'reset');
  await fill('s3cret-enough', 'an0ther_one', 'an0ther_one');
  await page.waitForURL('**/user/info');
  await signOut(page);
  await page.goto('/auth/login');
  await logIn(page, 'johnson', 'an0ther_one');
  await page.getByRole('button', { name: 'Account of johnson' }).waitFor();
  await page.context().close();
});

test('an API key is shown once, and ends when it is revoked', async () => {
  const page = await newPage(browser, server);
  await register(page, 'franklin');
  await page.goto('/user/info#api-key');
  await page.getByText('No API key').waitFor();
  await page.getByRole('button', { name: 'Generate key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the key').fill('backtest');
  await dialog.getByRole('button', { name: 'Generate key' }).click();
  const key = await dialog.locator('code').textContent();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByText('backtest').waitFor();

  // Restricted to one metric, it reads that one and is refused the others; both are counted.
  await page.getByRole('button', { name: 'Settings of backtest' }).click();
  await dialog.getByLabel('Pages that may use it').fill('host!');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.locator('[data-bad="true"]').waitFor();
  page.faults = page.faults.filter((fault) => !fault.includes('400 (Bad Request)'));
  // By its cross: right after a text was typed, the field lets Backspace take nothing away for a moment.
  await dialog.getByTitle('host!').locator('.ant-select-selection-item-remove').click();
  await dialog.getByTitle('host!').waitFor({ state: 'detached' });
  await dialog.getByLabel('Metrics it may read').fill('fees');
  await dialog.getByTitle('All of fees').click();
  await look(page, 'api-key-rules');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Only for fees').waitFor();
  const ask = (metric) => page.request.get(`/api/v1/metrics/${metric}?api_key=${encodeURIComponent(key)}`);
  assert.equal((await ask('fees/gas-used-total')).status(), 200);
  assert.equal((await ask('mining/hash-rate-mean')).status(), 403);
  await page.getByRole('button', { name: 'Usage of backtest' }).click();
  await page.getByText(/^[12] requests? in 30 days/).waitFor();
  assert.ok(!(await page.locator('main').textContent()).includes(key));
  await page.getByRole('button', { name: 'Revoke backtest' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No API key').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
