// The models: what stands on the stage is what the query beside it answers; keyboard and table; a plain canvas where there is
// no WebGL; and pages that are left give back what they took.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, becomes, keep, newPage, startBrowser, startServer, until } from './harness.mjs';
import { call, ended, register } from './steps.mjs';

const models = ['overview', 'token', 'eth_network_curve', 'ethNetworkCurve_model_3D', 'dapp_relation', 'dapp-user', 'realtime_model', 'realtime_model_3D', 'dao_model', 'miner_model', 'vampire_attack_model', 'air_drop_model', 'airdrop_model', 'uniswap_realtime_model', 'test/3hop', 'test/graph'];

let server;
let browser;
let page;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser({ space: true })]);
  page = await newPage(browser, server);
  await page.setViewportSize({ width: 1280, height: 720 });
  // Which drawing contexts are alive.
  await page.addInitScript(() => {
    const contexts = [];
    const before = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      const context = before.call(this, kind, ...more);
      if (context && kind.startsWith('webgl')) contexts.push(new WeakRef(context));
      return context;
    };
    window.liveContexts = () => contexts.filter((one) => one.deref()?.isContextLost() === false).length;
  });
  await register(page, 'ada');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** How many rows, or nodes of the address graph, the query behind a link to the editor answers. */
async function answerOf(link) {
  const address = new URL(link, server.url);
  const kind = address.searchParams.get('type').toUpperCase();
  const { jobId } = await call(page, 'POST', '/api/query/execute', { kind, text: decodeURIComponent(address.hash.slice('#q='.length)) });
  await ended(page, jobId);
  return kind === 'GRAPH' ? (await call(page, 'GET', `/api/job/${jobId}/graph`)).nodes.length : (await call(page, 'GET', `/api/job/${jobId}/result?size=1`)).total;
}

/** Opens a model; answers how many nodes its stage draws. */
async function open(page, model) {
  await page.goto(`/visualization_model/${model}`);
  await page.locator('[data-ready="true"][data-drawn]').waitFor();
  return Number(await page.locator('[data-drawn]').getAttribute('data-drawn'));
}

/** Frames a second as the page tells them, while the picture turns: the middle of some. */
async function frameRate() {
  await page.getByRole('button', { name: 'Turn slowly (r)' }).click();
  const rates = await page.evaluate(async () => {
    const seen = [];
    for (let frame = 0; frame < 24; frame++) {
      await new Promise(requestAnimationFrame);
      seen.push(Number(document.querySelector('p[class*="rate"] span')?.textContent));
    }
    return seen.slice(4).sort((a, b) => a - b);
  });
  return rates[Math.floor(rates.length / 2)];
}

for (const model of models) {
  test(`on the stage of ${model} stand the rows of its query`, async () => {
    const drawn = await open(page, model);
    assert.ok(drawn > 0, 'nothing is drawn');
    const link = await page.getByRole('link', { name: /^Open (nodes )?as query$/ }).getAttribute('href');
    assert.equal(drawn, await answerOf(link));
    await keep(page, `model-${model.replace('/', '-')}`);
    console.log(`${model}: ${drawn} nodes, ${await frameRate()} frames a second, drawn by software`);
    assert.deepEqual(page.faults, []);
  });
}

test('visitors see every model as people with an account do, and are asked to log in for a query of their own', async () => {
  const visitor = await newPage(browser, server);
  await visitor.setViewportSize({ width: 1280, height: 720 });
  for (const model of ['overview', 'dapp_relation', 'realtime_model', 'test/3hop', 'test/graph']) assert.equal(await open(visitor, model), await open(page, model), model);
  const text = visitor.getByLabel('Cypher');
  assert.equal(await text.getAttribute('readonly'), '');
  assert.match(await text.inputValue(), /^MATCH /);
  assert.deepEqual(await axeFindings(visitor), []);
  await keep(visitor, 'model-visitor');
  await visitor.goto('/dao_model?largest=500');
  await visitor.waitForURL('**/visualization_model/dao_model?largest=500');
  // A text in a link is run for nobody.
  await visitor.goto(`/visualization_model/test/graph?cypher=${encodeURIComponent('MATCH (a:Token) RETURN a')}`);
  await visitor.locator('[data-ready="true"][data-drawn]').waitFor();
  assert.match(await visitor.getByLabel('Cypher').inputValue(), /TRANSFERS/);
  await visitor.getByRole('link', { name: 'Log in' }).last().click();
  await visitor.waitForURL('**/auth/login?redirect=*');
  assert.deepEqual(visitor.faults, []);
  await visitor.context().close();
});

test('a node is found in the table by keys, and its panel tells what is known', async () => {
  await open(page, 'miner_model');
  const button = page.getByRole('button', { name: 'Show as table' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('table').waitFor();
  const first = page.getByRole('table').getByRole('button').first();
  await first.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Selected node' }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await button.focus();
  await page.keyboard.press('Enter');
  const stage = page.getByRole('application');
  await stage.focus();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Selected node' }).waitFor({ state: 'detached' });
  await page.keyboard.press('n');
  await page.getByRole('region', { name: 'Selected node' }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('without WebGL the same nodes are drawn flat', async () => {
  const other = await newPage(browser, server);
  await other.addInitScript(() => {
    const before = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind.startsWith('webgl') ? null : before.call(this, kind, ...more);
    };
  });
  await register(other, 'eve');
  for (const model of ['dao_model', 'realtime_model_3D', 'eth_network_curve']) {
    const drawn = await open(other, model);
    const context = await other.locator('[data-drawn] canvas').evaluate((canvas) => canvas.getContext('2d') !== null);
    assert.ok(context && drawn > 0, model);
    await keep(other, `model-flat-${model}`);
  }
  assert.deepEqual(other.faults, []);
  await other.context().close();
});

test('a model entered and left twenty times leaves nothing behind', async () => {
  await open(page, 'overview');
  const devtools = await page.context().newCDPSession(page);
  /** The stage of a model, not the one that was there before. */
  const shown = async (title) => {
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.locator('[data-ready="true"][data-drawn]').waitFor();
  };
  const round = async () => {
    await page.getByRole('link', { name: 'DAO', exact: true }).or(page.locator('a[href$="/dao_model"]')).first().click();
    await shown('DAO');
    await page.goBack();
    await shown('Overview');
  };
  const heap = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  // The first rounds load code and fill what is kept on purpose.
  for (let times = 0; times < 3; times++) await round();
  const start = await heap();
  for (let times = 0; times < 20; times++) await round();
  await becomes(() => page.evaluate(() => window.liveContexts()), 1, 'drawing contexts are left');
  // What timers and frames still hold goes a moment later; what is kept for ever does not.
  let end;
  const small = async () => {
    end = await heap();
    return end - start < 4;
  };
  await until(small, 'the heap grew by 4 MB or more').finally(() => console.log(`heap ${start.toFixed(1)} MB before, ${end.toFixed(1)} MB after 20 rounds`));
  assert.deepEqual(page.faults, []);
});
