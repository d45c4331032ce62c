// Texts that would run something if a page took them for its own: wherever people can write one, it is shown as it is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adminPassword, newPage, startBrowser, startServer } from './harness.mjs';
import { call, ended, logIn, register } from './steps.mjs';

/** An element with a handler, one that a chart's tooltip would show, and a link. */
const evil = '<img src=x onerror="globalThis.hit=1"><a href="javascript:globalThis.hit=1">e</a>';
const tag = '<img src=x>';
const address = `0x${'e1'.repeat(20)}`;

let server;
let browser;
let mallory;
let query;
let board;
let project;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  mallory = await newPage(browser, server);
  await register(mallory, 'mallory');
  const post = (path, body) => call(mallory, 'POST', path, body);
  const quoted = evil.replaceAll("'", "''");
  const name = evil.replaceAll('"', '""');
  const text = `select '${quoted}' as "${name}", 5 as "n${name}", 'other' as target union all select 'b', 3, '${quoted}'`;
  const what = { kind: 'SQL', text };
  query = (await post('/api/query/create', { title: evil, notes: evil, tags: [tag], what, visibility: 'public' })).id;
  const columns = { bar: { x: evil, y: [`n${evil}`] }, pie: { category: evil, value: `n${evil}` }, graph: { source: evil, target: 'target', weight: `n${evil}` }, table: {} };
  const charts = [];
  for (const [type, options] of Object.entries(columns)) {
    charts.push((await post('/api/visualization/create', { queryId: query, title: evil, viz: { type, options } })).id);
  }
  const nodes = [{ id: 'a', name: evil, category: evil }, { id: 'b', name: evil, properties: { [evil]: evil } }];
  const edges = [{ source: 'a', target: 'b', name: evil }];
  const graph = (await post('/api/graph/create', { title: evil, notes: evil, content: { nodes, edges }, visibility: 'public' })).id;
  const shown = [
    ...charts.map((visualizationId) => ({ type: 'visualization', visualizationId })),
    { type: 'graph', graphId: graph },
    { type: 'counter', queryId: query, options: { column: `n${evil}` } },
    { type: 'text', text: evil },
    { type: 'markdown', text: `${evil}\n\n[a](javascript:globalThis.hit=1)` },
  ];
  const widgets = shown.map((content, place) => ({ id: `w${place}`, layout: { x: (place % 2) * 6, y: Math.floor(place / 2) * 6, w: 6, h: 6 }, title: evil, content }));
  board = (await post('/api/dashboard/create', { title: evil, notes: evil, tags: [tag], visibility: 'public', content: { widgets } })).id;
  project = (await post('/api/project/create', { title: evil, notes: evil, tags: [tag], visibility: 'public' })).id;
  for (const itemId of [query, board]) await post('/api/project/item/add', { id: project, itemId });
  await post('/api/dashboard/comment/create', { id: board, content: evil });
  await post('/api/tag/add', { entity: 'address', id: address, tag });
  await post('/api/label/own/add', { address, label: evil.slice(0, 40), labelType: 'EOA', entity: evil.slice(0, 40), note: evil });
  await post('/api/feedback/upload', { feedbackTitle: evil, feedbackContent: evil, feedbackUrl: '/home', feedbackPhoto: '' });
  await call(mallory, 'PUT', `/api/system/user/updateUserInfo?career=${encodeURIComponent(evil.slice(0, 60))}&address=${encodeURIComponent(evil.slice(0, 60))}&tag=${encodeURIComponent(tag)}`);
  const { jobId } = await post('/api/query/run/start', { id: query });
  await ended(mallory, jobId);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const encoded = (id) => Buffer.from(id).toString('base64url');

/** Nothing of the texts has become a part of the page, and nothing of them ran. */
async function harmless(page, where) {
  const found = await page.evaluate(() => ({
    hit: globalThis.hit ?? null,
    made: [...document.querySelectorAll('img[src="x"], [onerror], a[href^="javascript:"]')].map((element) => element.outerHTML),
  }));
  assert.deepEqual(found, { hit: null, made: [] }, where);
  const refused = page.faults.filter((fault) => /content security policy|inline/i.test(fault));
  assert.deepEqual(refused, [], where);
}

/** Opens a page, waits until it shows the text, has everything on a board drawn, and points at whatever would tell more. */
async function look(page, path) {
  await page.goto(path);
  await page.getByText('<img src=x', { exact: false }).first().waitFor();
  for (const card of await page.locator('main [data-widget]').all()) {
    await card.scrollIntoViewIfNeeded();
    await card.locator('[data-loading], .chart[data-ready="false"]').first().waitFor({ state: 'detached' });
  }
  for (const drawing of await page.locator('main canvas').all()) {
    if (!(await drawing.isVisible())) continue;
    await drawing.scrollIntoViewIfNeeded();
    const box = await drawing.boundingBox();
    for (const [right, down] of [[0.5, 0.5], [0.3, 0.7], [0.7, 0.6]]) await page.mouse.move(box.x + box.width * right, box.y + box.height * down);
  }
  await harmless(page, path);
}

test('what people write about their work is shown as it is', async () => {
  const page = await newPage(browser, server);
  await register(page, 'reader');
  for (const path of [
    `/user/query?id=${encoded(query)}`,
    `/user/dashboard?id=${encoded(board)}`,
    `/projects/detail?id=${encoded(project)}`,
    '/community/discover?sort=time&range=all',
    '/community/discover?tab=queries&sort=time',
    '/community/discover?tab=projects&sort=time',
    '/tags',
    `/community/address?id=${encoded(address)}`,
    '/user/dashboards-and-queries?userName=mallory',
  ]) {
    await look(page, path);
  }
  await page.context().close();
});

test('its writer sees it as it is too', async () => {
  await look(mallory, '/community/my-creations');
  await look(mallory, '/user/my-query');
  await harmless(mallory, 'my pages');
});

test('so is a letter', async () => {
  const page = await newPage(browser, server);
  await register(page, 'writer');
  await page.getByRole('complementary', { name: 'Messages and feedback' }).getByRole('button', { name: 'Messages' }).click();
  await page.getByLabel('Find a person').fill('mallory');
  await page.keyboard.press('Enter');
  await page.getByLabel('Write to mallory').fill(evil);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Chat with mallory' }).getByRole('img', { name: 'Delivered' }).waitFor();
  await harmless(page, 'the writer');
  await mallory.getByRole('complementary', { name: 'Messages and feedback' }).getByRole('button', { name: 'Messages, some unread' }).click();
  await mallory.getByRole('dialog', { name: 'Messages' }).getByRole('button', { name: /writer/ }).click();
  await mallory.getByRole('dialog', { name: 'Chat with writer' }).getByText('<img src=x').waitFor();
  await harmless(mallory, 'the reader');
  await page.context().close();
});

test('so is what the back office reads', async () => {
  const page = await newPage(browser, server);
  await page.goto('/auth/login');
  await logIn(page, 'admin', adminPassword);
  await page.getByRole('button', { name: 'Account of admin' }).waitFor();
  await look(page, '/system/feedback');
  await page.context().close();
});
