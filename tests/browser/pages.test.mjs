// Every page, for a visitor and for a signed-in person, in both themes: it opens without a fault, and axe has no serious
// finding.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, becomes, keep, newPage, startBrowser, startServer, until } from './harness.mjs';
import { call, logIn, openQueryPage, register, run, signOut, typeQuery, waitForRows } from './steps.mjs';

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Opens a path, waits for its main heading or content, and checks it in the light and the dark theme. */
async function check(page, path, name, prepare) {
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(path);
    await page.getByRole('main').first().waitFor();
    // Who has chosen none has the theme of the system.
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    await keep(page, `${name}-${theme}`);
    assert.deepEqual(await axeFindings(page), [], `${path} in the ${theme} theme`);
  }
}

const visitor = [
  ['/start', 'start'],
  ['/auth/login', 'login'],
  ['/auth/register', 'register'],
  ['/404', 'not-found'],
];

for (const [path, name] of visitor) {
  test(`a visitor opens ${path}`, async () => {
    const page = await newPage(browser, server);
    await check(page, path, name);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test('an unknown address leads to /404', async () => {
  const page = await newPage(browser, server);
  await page.goto('/no/such/page?a=1');
  await page.waitForURL('**/404');
  await page.context().close();
});

test('a login leads on to where it was asked for', async () => {
  const page = await newPage(browser, server);
  await register(page, 'hopper');
  await signOut(page);
  await page.goto('/auth/login?redirect=%2Fuser%2Fmy-query');
  await logIn(page, 'hopper');
  await page.waitForURL('**/user/my-query');
  await page.context().close();
});

test('cards of home whose chain cannot be read say so, and do not call it empty', async () => {
  const page = await newPage(browser, server);
  await page.route('**/api/chain/status*', (route) => route.fulfill({ status: 500, json: { status: 'fail', msg: 'The server could not do this.', data: null, code: 'internal' } }));
  await page.goto('/home');
  await page.getByRole('heading', { name: 'Tables in the lake' }).waitFor();
  const failed = page.getByText('The server could not do this.');
  await failed.nth(2).waitFor();
  assert.equal(await page.getByText('No blocks were pulled').count(), 0);
  await page.unroute('**/api/chain/status*');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.locator('code').getByText('transactions', { exact: true }).waitFor();
  await becomes(() => failed.count(), 0);
  await page.context().close();
});

test('a page whose data are still under way shows the shapes of what comes', async () => {
  const page = await newPage(browser, server);
  await register(page, 'waiter');
  const made = await call(page, 'POST', '/api/query/create', { title: 'Blocks', what: { kind: 'SQL', text: 'select count(*) from blocks' } });
  const board = await call(page, 'POST', '/api/dashboard/create', { title: 'Board' });
  const link = (id) => Buffer.from(id).toString('base64url');
  // Who is signed in is known; everything else never comes.
  await page.route(({ pathname }) => pathname.startsWith('/api/') && !pathname.startsWith('/api/user/'), () => {});
  for (const path of ['/home', `/user/query?id=${link(made.id)}`, '/user/query?type=label', `/user/my-dashboard?id=${link(board.id)}`]) {
    await page.goto(path);
    const shapes = page.locator('[class*="skeleton"]');
    await shapes.first().waitFor();
    // A part whose next code is asked for is hidden as a whole behind the shapes of what comes.
    const flat = () => shapes.evaluateAll((all) => all.filter((one) => one.checkVisibility() && (one.offsetWidth < 8 || one.offsetHeight < 8)).length);
    await becomes(flat, 0, `shapes of ${path} that nobody sees`);
    assert.ok(!(await page.locator('body').innerText()).includes('\\u'), `a code instead of a letter on ${path}`);
  }
  await page.context().close();
});

test('on a small phone what runs a query stands on the screen, whatever its kind', async () => {
  const page = await newPage(browser, server);
  await register(page, 'walker');
  await page.setViewportSize({ width: 320, height: 640 });
  for (const kind of ['mr', 'label', 'hive']) {
    await page.goto(`/user/query?type=${kind}`);
    const button = page.getByRole('toolbar').getByRole('button', { name: /^Run/ });
    await button.waitFor();
    const inside = async () => {
      const { x, width } = await button.boundingBox();
      return x + width <= 320;
    };
    await until(inside, `the button of ${kind} reaches over the edge`);
  }
  await page.context().close();
});

test('a signed-in person opens the pages', async () => {
  const page = await newPage(browser, server);
  await register(page, 'grace');
  await check(page, '/home', 'home');
  await check(page, '/user/query', 'query', async () => {
    await openQueryPage(page);
    await typeQuery(page, 'select number, hash, gas_used from blocks order by number desc limit 50');
    await run(page);
    await waitForRows(page);
  });
  await check(page, '/user/my-query', 'jobs');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
