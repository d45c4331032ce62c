// What visitors and creators do with what others made: find it, mark it, copy it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, keep, newPage, startBrowser, startServer } from './harness.mjs';
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
  await page.getByRole('searchbox').fill('tag:fees "base fee per day"');
  await page.waitForURL(/tab=queries.*search=tag%3Afees/);
  await row(page, 'Largest ether transfers').waitFor({ state: 'detached' });
  await row(page, 'Base fee per day').waitFor();

  // The address holds the whole state.
  await page.reload();
  await row(page, 'Base fee per day').waitFor();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'tag:fees "base fee per day"');

  await page.getByRole('searchbox').fill('no such thing');
  await page.getByText('No query yet').waitFor();
  await look(page, 'discover-empty');
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
  const saved = page.waitForResponse('**/api/favorite/add');
  await star.click();
  assert.equal(await star.getAttribute('aria-pressed'), 'true');
  assert.equal((await star.textContent()).trim(), '1');
  await saved;
  await page.reload();
  await star.waitFor();
  assert.equal(await star.getAttribute('aria-pressed'), 'true');
  await page.context().close();
});
