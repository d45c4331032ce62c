// Dashboards as people use them: built by mouse and by keys, saved by themselves, changed in two windows, shared, commented
// on, framed, and the official pages as visitors see them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { axeFindings, becomes, keep, newPage, startBrowser, startServer, until } from './harness.mjs';
import { call as ask, ended, register } from './steps.mjs';

let server;
let browser;
let page;
/** The editor's address of the dashboard that the tests build. */
let editor;

const link = (id) => Buffer.from(id).toString('base64url');
const dashboardId = () => Buffer.from(new URL(editor).searchParams.get('id'), 'base64url').toString();

const call = (on, path, body) => ask(on, body === undefined ? 'GET' : 'POST', path, body);

/** A saved query that has run, and its charts. */
async function makeCharts(on) {
  const text = "select date_trunc('day', timestamp) as day, count(*) as blocks, sum(gas_used) as gas from blocks where number >= {{from}} group by 1 order by 1";
  const query = await call(on, '/api/query/create', { title: 'Blocks by day', what: { kind: 'SQL', text, parameters: [{ name: 'from', type: 'number', default: 0 }] } });
  const charts = [
    ['Blocks per day', { type: 'bar', options: { x: 'day', y: ['blocks'] } }],
    ['Gas per day', { type: 'area', options: { x: 'day', y: ['gas'] } }],
    ['All blocks', { type: 'counter', options: { column: 'blocks' } }],
  ];
  for (const [title, viz] of charts) await call(on, '/api/visualization/create', { queryId: query.id, title, viz });
  const { jobId } = await call(on, '/api/query/run/start', { id: query.id });
  await ended(on, jobId);
}

const widget = (on, name) => on.locator('[data-item]').filter({ has: on.getByRole('article', { name, exact: true }) });
const saved = (on) => on.locator('[data-phase="saved"]').waitFor();
const place = async (on, name) => {
  const box = await widget(on, name).boundingBox();
  return { x: Math.round(box.x), y: Math.round(box.y), width: Math.round(box.width), height: Math.round(box.height) };
};

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  page = await newPage(browser, server);
  await register(page, 'arranger');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('without a visualization the editor says how to get one', async () => {
  await page.goto('/user/my-dashboard');
  await page.getByText('No dashboard yet').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole('link', { name: 'New Dashboard' }).first().click();
  await page.getByText('Has no visualization! Please create some visualizations!').waitFor();
  await page.waitForURL(/\/user\/my-dashboard\?id=[\w-]+$/);
  editor = page.url();
});

test('widgets are put on the board and dragged by mouse, and everything saves itself', async () => {
  await makeCharts(page);
  await page.goto(editor);
  const palette = page.getByRole('complementary', { name: 'Add' });
  for (const name of ['Blocks per day', 'Gas per day', 'All blocks']) await palette.getByRole('button', { name }).click();
  await page.getByLabel('Name of the dashboard').fill('Gas and blocks');
  await widget(page, 'Gas per day').locator('canvas').first().waitFor();
  const before = await place(page, 'Blocks per day');
  const grip = await widget(page, 'Blocks per day').locator('[data-grip]').boundingBox();
  await page.mouse.move(grip.x + 8, grip.y + 8);
  await page.mouse.down();
  await page.mouse.move(grip.x + 300, grip.y + 500, { steps: 10 });
  // As a person does: let go where its place is shown.
  await until(async () => (await page.locator('.react-grid-placeholder').boundingBox()).y > before.y, 'there is no place for it further down');
  await page.mouse.up();
  await page.locator('.react-draggable-dragging').waitFor({ state: 'detached' });
  await until(async () => (await place(page, 'Blocks per day')).y > before.y, 'it is where it was');
  const kept = async () => {
    const { content, title } = await call(page, `/api/dashboard/detail?id=${dashboardId()}`);
    return [title, content.widgets.length];
  };
  await becomes(kept, ['Gas and blocks', 3]);
  await saved(page);
});

test('a text is dragged from the palette to its place, and nothing stands over the settings', async () => {
  const from = await page.getByRole('complementary', { name: 'Add' }).getByRole('button', { name: 'Text', exact: true }).boundingBox();
  const to = await place(page, 'Gas per day');
  const carry = async () => {
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 40, { steps: 10 });
    await page.locator('.react-grid-placeholder').waitFor();
  };
  // Called off, it leaves nothing behind.
  await carry();
  await page.keyboard.press('Escape');
  await page.locator('.react-grid-placeholder').waitFor({ state: 'detached' });
  await page.mouse.up();
  await carry();
  await page.mouse.up();
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
  const apart = async () => {
    const settings = await page.getByRole('complementary', { name: 'Settings' }).getByRole('region', { name: 'Settings' }).boundingBox();
    const dock = await page.getByRole('complementary', { name: 'Messages and feedback' }).boundingBox();
    return dock.y >= settings.y + settings.height || dock.y > 1080 - 60;
  };
  await until(apart, 'the widget has a place of its own');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('[data-item]').length === 3);
});

test('widgets are moved, resized, doubled and removed by keys, and undo takes it back', async () => {
  const counter = widget(page, 'All blocks');
  await counter.focus();
  const before = await place(page, 'All blocks');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('status').getByText(/^Column 2, row/).waitFor();
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('status').getByText(/4 wide/).waitFor();
  const wider = async () => {
    const now = await place(page, 'All blocks');
    return now.x > before.x && now.width > before.width;
  };
  await until(wider, 'it stands as before');
  await page.keyboard.press('d');
  await page.waitForFunction(() => document.querySelectorAll('[data-item]').length === 4);
  await counter.first().focus();
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => document.querySelectorAll('[data-item]').length === 3);
  await page.keyboard.press('ControlOrMeta+z');
  await page.waitForFunction(() => document.querySelectorAll('[data-item]').length === 4);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('[data-item]').length === 3);
  await saved(page);
  assert.deepEqual(await axeFindings(page), []);
});

test('texts are written in their place; only links of four kinds lead anywhere', async () => {
  const palette = page.getByRole('complementary', { name: 'Add' });
  // What is added below the lower edge comes into sight, and an empty text says how it is written.
  await page.setViewportSize({ width: 1920, height: 420 });
  await palette.getByRole('button', { name: 'Text', exact: true }).click();
  await page.waitForFunction(() => (document.querySelector('[data-chosen="true"]')?.getBoundingClientRect().bottom ?? Infinity) <= innerHeight);
  await page.locator('[data-chosen="true"]').press('Escape');
  await page.getByText('Nothing written yet. Click here to write').click();
  await page.waitForFunction(() => document.activeElement.matches('[data-chosen="true"] textarea'));
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.getByRole('button', { name: 'Remove from dashboard' }).click();
  await palette.getByRole('button', { name: 'Markdown' }).click();
  await page.getByPlaceholder(/^Write Markdown/).fill('## How to read\n\n[good](https://example.org) [bad](javascript:alert(1)) <img src=x onerror=alert(1)>');
  await palette.getByRole('button', { name: 'Rich text' }).click();
  const rich = page.getByRole('textbox', { name: 'Rich text', exact: true });
  await rich.fill('Exact numbers');
  await page.keyboard.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Bold' }).click();
  await saved(page);
  await page.getByRole('link', { name: 'Preview' }).click();
  await page.getByRole('heading', { name: 'Preview of Gas and blocks' }).waitFor();
  await page.getByRole('heading', { name: 'How to read' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'good' }).getAttribute('href'), 'https://example.org');
  assert.equal(await page.getByRole('link', { name: 'bad' }).count(), 0);
  assert.equal(await page.locator('main img').count(), 0);
  await page.locator('strong').getByText('Exact numbers').waitFor();
  await page.locator('[data-viz="area"] canvas').first().waitFor();
  await keep(page, 'dashboard-preview');
  await page.getByText('Mobile').click();
  await page.getByRole('radio', { name: 'Mobile', checked: true }).waitFor({ state: 'attached' });
  assert.deepEqual(await axeFindings(page), []);
});

test('without auto-save the way out asks, and can save first', async () => {
  await page.goto(editor);
  const autosave = page.getByRole('switch', { name: 'Auto-save' });
  await autosave.click();
  await page.getByLabel('Name of the dashboard').fill('Saved on the way out');
  await page.getByRole('link', { name: 'Done' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(page.url(), editor);
  await page.getByRole('link', { name: 'Done' }).click();
  assert.deepEqual(await axeFindings(page), []);
  await dialog.getByRole('button', { name: 'Save and leave' }).click();
  await page.getByRole('heading', { name: 'Saved on the way out', level: 1 }).waitFor();
  await page.goto(editor);
  await autosave.click();
});

test('a reload while the server is away loses nothing', async () => {
  await page.goto(editor);
  await page.getByLabel('Name of the dashboard').waitFor();
  await page.route('**/api/dashboard/update', (route) => route.abort());
  await page.getByLabel('Name of the dashboard').fill('Written offline');
  await page.locator('[data-phase="offline"]').waitFor();
  await page.reload();
  await page.getByText('Changes that were not saved have been taken up again.').waitFor();
  await becomes(() => page.getByLabel('Name of the dashboard').inputValue(), 'Written offline');
  await page.unroute('**/api/dashboard/update');
  await saved(page);
  assert.equal((await call(page, `/api/dashboard/detail?id=${dashboardId()}`)).title, 'Written offline');
  page.faults = page.faults.filter((fault) => !/ERR_FAILED|could not be reached/.test(fault));
});

test('two windows that change the same dashboard ask whose state stays', async () => {
  const other = await page.context().newPage();
  other.setDefaultTimeout(60_000);
  await other.goto(editor);
  await other.getByLabel('Name of the dashboard').fill('From the other window');
  await saved(other);
  await other.waitForFunction(() => document.querySelector('[data-phase]').textContent.includes('Saved'));
  await page.getByLabel('Name of the dashboard').fill('From this window');
  const dialog = page.getByRole('alertdialog', { name: 'Changed in the meantime' });
  await dialog.getByText('From the other window').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await saved(page);
  assert.equal((await call(page, `/api/dashboard/detail?id=${dashboardId()}`)).title, 'From this window');

  await other.getByLabel('Name of the dashboard').fill('Later in the other window');
  await other.getByRole('alertdialog').getByRole('button', { name: 'Take theirs' }).click();
  await other.locator('input[value="From this window"]').waitFor();
  await other.close();
  page.faults = page.faults.filter((fault) => !fault.includes('409 (Conflict)'));
});

test('versions are kept, and a former one comes back', async () => {
  await page.getByRole('button', { name: 'Versions' }).click();
  const drawer = page.getByRole('dialog', { name: 'Versions' });
  await drawer.getByText('Version 1', { exact: true }).waitFor();
  const first = drawer.getByRole('listitem').filter({ hasText: /^Version 1\b/ });
  await first.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Nothing on it yet').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('[data-item]').length === 5);
  await saved(page);
});

test('the dashboard is looked at, run anew with a filter, and saved as files', async () => {
  const detail = await call(page, `/api/dashboard/detail?id=${dashboardId()}`);
  await page.goto(editor);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Name', { exact: true }).fill('from');
  await saved(page);
  assert.ok(detail.shows.some((show) => show.visible));
  await page.getByRole('link', { name: 'Done' }).click();
  const counter = page.getByRole('article', { name: 'All blocks' });
  await counter.getByText(/^\d+$/).waitFor();
  await page.getByRole('article', { name: 'Gas per day' }).locator('canvas').first().waitFor();
  await keep(page, 'dashboard-view');
  assert.deepEqual(await axeFindings(page), []);

  const runs = [];
  page.on('request', (request) => request.url().endsWith('/api/query/run/start') && runs.push(request.postDataJSON()));
  const before = await counter.getByText(/^\d+$/).textContent();
  await page.getByLabel('from', { exact: true }).fill('500');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForFunction((old) => ![undefined, '', old].includes(document.querySelector('[aria-label="All blocks"] p')?.textContent), before);
  await page.waitForURL(/p_from=500/);
  assert.equal(runs.length, 1, 'three widgets of one query share one run');
  // The way back leads to the values of before.
  await page.goBack();
  await page.waitForFunction((old) => document.querySelector('[aria-label="All blocks"] p')?.textContent === old, before);
  await becomes(() => page.getByLabel('from', { exact: true }).inputValue(), '');

  for (const [name, head] of [['Save as picture (PNG)', [0x89, 0x50]], ['Save as PDF', [0x25, 0x50]]]) {
    await page.getByRole('button', { name: 'More about this dashboard' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()]);
    const bytes = await readFile(await file.path());
    assert.deepEqual([...bytes.subarray(0, 2)], head);
    assert.ok(bytes.length > 20_000, `${name}: ${bytes.length} bytes`);
  }
});

test('a private dashboard is nobody else’s; a link opens it until it is taken back', async () => {
  const visitor = await newPage(browser, server);
  const address = `/user/dashboard?id=${link(dashboardId())}`;
  await visitor.goto(address);
  await visitor.getByRole('heading', { name: 'This dashboard is not open to you' }).waitFor();

  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Everybody who has the link').click();
  const shared = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  const frame = await dialog.getByRole('textbox', { name: 'Frame for other sites' }).inputValue();
  assert.deepEqual(await axeFindings(page), []);
  await visitor.goto(shared);
  await visitor.getByRole('heading', { name: 'From this window', level: 1 }).waitFor();
  await visitor.getByRole('article', { name: 'Gas per day' }).locator('canvas').first().waitFor();

  // Who may not run a query gets its rows at the values of the filters all the same.
  const all = await visitor.getByRole('article', { name: 'All blocks' }).getByText(/^\d+$/).textContent();
  await visitor.getByLabel('from', { exact: true }).fill('600');
  await visitor.getByRole('button', { name: 'Apply' }).click();
  await visitor.waitForFunction((old) => ![undefined, '', old].includes(document.querySelector('[aria-label="All blocks"] p')?.textContent), all);
  await visitor.getByRole('button', { name: 'Reset' }).click();
  await visitor.waitForFunction((old) => document.querySelector('[aria-label="All blocks"] p')?.textContent === old, all);

  const [, source] = /src="([^"]+)"/.exec(frame);
  await visitor.goto(source);
  await visitor.getByRole('link', { name: 'Open in Quarry' }).waitFor();
  await visitor.locator('[data-viz="area"] canvas').first().waitFor();
  assert.equal(await visitor.getByRole('navigation').count(), 0);
  assert.deepEqual(await axeFindings(visitor), []);
  // The address of a frame gives values to the filters, too.
  await visitor.goto(`${source}&p_from=600`);
  await visitor.waitForFunction((old) => ![undefined, '', old].includes(document.querySelector('[aria-label="All blocks"] p')?.textContent), all);

  await dialog.getByRole('button', { name: 'Take the link back' }).click();
  await dialog.getByText('Nobody else can open it now.').waitFor();
  await visitor.goto(shared);
  await visitor.getByRole('heading', { name: 'This dashboard is not open to you' }).waitFor();
  await dialog.getByText('Everybody; it can be found in Discover').click();
  await dialog.getByRole('radio', { name: /Everybody; it can be found/, checked: true }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await visitor.context().close();
});

test('people comment, answer and delete', async () => {
  const address = `/user/dashboard?id=${link(dashboardId())}`;
  await page.goto(address);
  await page.getByRole('button', { name: /comment/ }).click();
  await page.getByText('No comment yet').waitFor();
  await page.getByPlaceholder('Write a comment').fill('Why the **spike**?\n<b>not bold</b>');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const first = page.getByRole('article', { name: 'Comment by arranger' }).first();
  await first.getByText('<b>not bold</b>').waitFor();
  await first.locator('strong').getByText('spike').waitFor();

  const reader = await newPage(browser, server);
  await register(reader, 'reader_1');
  await reader.goto(address);
  await reader.getByRole('button', { name: '1 comment' }).click();
  await reader.getByRole('button', { name: 'Reply' }).click();
  await reader.getByPlaceholder('Reply to arranger').fill('A sample.');
  await reader.locator('li form').getByRole('button', { name: 'Reply' }).click();
  await reader.getByRole('article', { name: 'Comment by reader_1' }).getByText('A sample.').waitFor();
  assert.equal(await reader.getByRole('link', { name: 'Edit' }).count(), 0);
  assert.deepEqual(await axeFindings(reader), []);

  await reader.getByRole('button', { name: 'Fork' }).click();
  await reader.getByLabel('Name of the dashboard').waitFor();
  assert.notEqual(reader.url(), editor);

  await page.reload();
  await page.getByRole('button', { name: '2 comments' }).click();
  await page.getByRole('button', { name: 'Delete the comment by arranger' }).click();
  await page.getByText('This comment was deleted.').waitFor();
  await page.getByText('A sample.').waitFor();
  assert.deepEqual(reader.faults, []);
  await reader.context().close();
});

test('a deletion can be taken back for a moment', async () => {
  await call(page, '/api/dashboard/create', { title: 'To be deleted' });
  await page.goto('/user/my-dashboard');
  await page.getByRole('button', { name: 'More about To be deleted' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'To be deleted' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'To be deleted' }).waitFor();
  await page.getByRole('button', { name: 'More about To be deleted' }).click();
  const [answer] = await Promise.all([page.waitForResponse('**/api/dashboard/delete'), page.getByRole('menuitem', { name: 'Delete' }).click()]);
  assert.equal(answer.status(), 200);
});

test('visitors see official metrics up to 30 days ago, and what a login brings', async () => {
  const visitor = await newPage(browser, server);
  await visitor.goto('/official/dashboards');
  await visitor.getByRole('heading', { name: 'Network' }).waitFor();
  await visitor.locator('[data-chart] canvas').first().waitFor();
  await visitor.getByText(/advanced plan has the latest data/).waitFor();
  await keep(visitor, 'official');
  assert.deepEqual(await axeFindings(visitor), []);
  await visitor.getByRole('link', { name: 'Ether moved' }).click();
  await visitor.getByRole('heading', { name: 'Ether moved', level: 1 }).waitFor();
  const cut = visitor.getByRole('complementary', { name: 'Log in to view this metric.' });
  const [, until] = /up to (\d{4}-\d{2}-\d{2})/.exec(await cut.textContent());
  const latest = await visitor.locator('dt').filter({ hasText: 'Latest' }).textContent();
  assert.ok(latest.includes(until), `${latest} ends where visitors' rows end, ${until}`);
  assert.deepEqual(await axeFindings(visitor), []);
  await visitor.getByText('1 Week', { exact: true }).click();
  await visitor.waitForURL(/resolution=1\+Week/);
  assert.deepEqual(visitor.faults, []);

  const address = new URL(visitor.url());
  await page.goto(address.pathname + address.search.replace('1+Week', '1+Day'));
  await page.getByRole('heading', { name: 'Ether moved', level: 1 }).waitFor();
  const newest = await page.locator('dt').filter({ hasText: 'Latest' }).textContent();
  const [newestDay] = /\d{4}-\d{2}-\d{2}/.exec(newest);
  assert.ok(newestDay > until, `${newest} is newer than ${until}`);
  assert.equal(await page.getByRole('complementary', { name: 'Log in to view this metric.' }).count(), 0);
  await keep(page, 'official-metric');
  await visitor.context().close();
});

test('nothing went wrong on the way', () => {
  assert.deepEqual(page.faults, []);
});
