// The ranking of DApps against what the server answers, and papers read in the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { adminPassword, axeFindings, becomes, hasFocus, keep, newPage, startBrowser, startServer, until } from './harness.mjs';

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

async function data(path, options) {
  const { status, data, msg } = await (await fetch(server.url + path, options)).json();
  assert.equal(status, 'success', `${path}: ${msg}`);
  return data;
}

/** The numbers of the rows on show: name, users, transactions, wei. */
const shown = () =>
  page.locator('main table tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const amounts = [...row.querySelectorAll('td[class*="amount"]')];
      const digits = (text) => text.replace(/\D/g, '');
      return [row.querySelector('strong').textContent, Number(digits(amounts[0].textContent)), Number(digits(amounts[1].textContent)), digits(amounts[2].title)];
    }),
  );

test('the ranking shows the numbers of the server, filtered and sorted by its address', async () => {
  await page.goto('/DAppRanking?period=month');
  await page.locator('main table tbody tr').first().waitFor();
  const { items } = await data('/api/dapp/ranking?period=month');
  const numbers = (rows) => rows.map(({ name, users, transactions, volume }) => [name, users, transactions, volume]);
  await becomes(shown, numbers(items));
  await keep(page, 'ranking');

  await page.getByRole('button', { name: 'Volume', exact: true }).click();
  await page.waitForURL('**sort=volume');
  await page.getByRole('columnheader', { name: 'Share' }).waitFor();
  const byVolume = await data('/api/dapp/ranking?period=month&sort=volume');
  // The rows of before stay on show until the answer is there.
  await becomes(shown, numbers(byVolume.items));

  await page.getByRole('button', { name: /^Finance/ }).click();
  await page.waitForURL('**type=finance**');
  const finance = await data('/api/dapp/ranking?period=month&sort=volume&type=finance');
  assert.ok(finance.items.length > 0);
  await becomes(shown, numbers(finance.items));

  await page.setViewportSize({ width: 390, height: 844 });
  await until(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is too wide for a small screen');
  await page.setViewportSize({ width: 1920, height: 1080 });

  await page.getByLabel('Find a DApp').fill('no such name');
  await page.getByText('No DApp of the registry fits these filters.').waitFor();
  await page.getByRole('button', { name: 'Show all DApps' }).click();
  await page.locator('main table tbody tr').first().waitFor();
  assert.deepEqual(page.faults, []);
});

test('without papers the pages say so', async () => {
  for (const path of ['/DeFi/paper', '/whitePage/preview']) {
    await page.goto(path);
    await page.getByText('No paper is published yet').waitFor();
    assert.deepEqual(await axeFindings(page), [], path);
  }
  assert.deepEqual(page.faults, []);
});

/** A PDF file of three pages, as Chromium prints one. */
async function print() {
  const other = await browser.newPage();
  await other.setContent('<style>h1 { break-after: page }</style><h1>Reserves and prices</h1><h1>Second page</h1><p>What the pool keeps</p>');
  const bytes = await other.pdf({ format: 'A4' });
  await other.close();
  return bytes;
}

async function publish(title, language, bytes, published = true) {
  const body = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ userName: 'admin', password: adminPassword }) };
  const headers = { Authorization: `Bearer ${(await data('/api/user/login', body)).token}` };
  const form = new FormData();
  form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'paper.pdf');
  const id = await data(`/api/system/white-paper/upload?${new URLSearchParams({ title, language })}`, { method: 'POST', headers, body: form });
  await data(`/api/system/white-paper/${id}/publish?published=${published}`, { method: 'PUT', headers });
}

test('a published paper is found, read page by page, zoomed and saved', async () => {
  await publish('Reserves', 'en', await print());
  await publish('A draft', 'en', await print(), false);
  await publish('Damaged', 'zh', Buffer.from('%PDF-1.7\nnothing\n%%EOF'));

  await page.goto('/DeFi/paper');
  await page.getByRole('link', { name: 'Reserves' }).waitFor();
  assert.equal(await page.getByText('A draft').count(), 0);
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole('link', { name: 'Reserves' }).click();
  await page.waitForURL('**/whitePage/preview?id=**');

  await page.getByText('Reserves and prices').waitFor();
  const drawn = () => page.locator('[data-sheet="1"] canvas').evaluate((canvas) => new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height / 4).data).size > 2);
  await page.waitForFunction(() => document.querySelector('[data-sheet="1"] canvas').width > 0);
  await until(drawn, 'the first sheet is empty');
  assert.deepEqual(await axeFindings(page), []);
  await keep(page, 'paper');

  const pageField = page.getByLabel('Page', { exact: true });
  await page.locator('[data-pages="2"], [data-pages="3"]').waitFor();
  await pageField.fill('2');
  await pageField.press('Enter');
  await page.getByText('Second page').waitFor();
  // In the room, which shows one of the sheets: the page itself does not scroll, and what is far away is not drawn.
  const inSight = () =>
    page.evaluate(() => {
      const [room, second] = ['[role="document"]', '[data-sheet="2"]'].map((name) => document.querySelector(name).getBoundingClientRect());
      return second.top >= room.top && second.top < room.top + 100 && room.bottom <= innerHeight;
    });
  await until(inSight, 'the second sheet is not in sight');
  assert.equal(await pageField.inputValue(), '2');
  await hasFocus(pageField, 'the field has lost the focus');

  const zoom = page.getByLabel('Zoom', { exact: true });
  const before = await zoom.innerText();
  await page.getByRole('document', { name: /^Reserves/ }).press('-');
  await page.waitForFunction((before) => document.querySelector('output').textContent !== before, before);

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()]);
  assert.equal(download.suggestedFilename(), 'Reserves.pdf');

  await page.getByRole('link', { name: /^Damaged/ }).click();
  await page.getByText('The file is no PDF file, or it is damaged.').waitFor();
  await page.goto('/whitePage/preview?id=OTk');
  await page.getByText('There is no such paper').waitFor();
  assert.deepEqual(page.faults, []);
});
