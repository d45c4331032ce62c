// The back office as an administrator uses it, and what others see of it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { axeFindings, becomes, keep, newPage, startBrowser, startServer, until } from './harness.mjs';
import { call, logIn, register } from './steps.mjs';

/** Each page's address under /system and its name in the menu. */
const pages = {
  user: 'User',
  invitation: 'Invitations',
  role: 'Role',
  permission: 'Permission',
  dataLink: 'Data monitor',
  cluster: 'Cluster',
  jobList: 'Scheduled jobs',
  'file-manage': 'File manage',
  'web-access': 'Web access',
  'plantform-manage/user': 'Platform users',
  'plantform-manage/revenue': 'Revenue',
  score: 'Score',
  feedback: 'Feedback',
  'user-behavior/login-and-logout': 'Login and logout',
  'user-behavior/online-users': 'Online users',
  'user-behavior/user-dashboard-operate': 'Dashboard operations',
  audit: 'Audit log',
  'message-record/mail': 'Mail record',
  'message-record/message': 'Message record',
  'dapp/reflect': 'DApp reflect',
  'dapp/info': 'DApp info',
  'white-paper': 'White paper',
};

let server;
let browser;
let admin;
let ada;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  [admin, ada] = [await newPage(browser, server), await newPage(browser, server)];
  await register(ada, 'ada');
  await admin.goto('/auth/login?redirect=%2Fsystem');
  await logIn(admin, 'admin', 'adm1n-of-tests');
  await admin.waitForURL('**/system/user');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The row of the table with a text of its own, not as a part of another: the picture of admin says "AD". */
const row = (page, text) => page.getByRole('row').filter(text instanceof RegExp ? { hasText: text } : { has: page.getByText(text, { exact: true }) }).first();

/** Keeps an answer back until it is opened. */
function gate() {
  let open;
  const promise = new Promise((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** Whether the page of that name is on show with all it asked the server for: heading, table and figures at one and the same moment. */
const isThere = (name) =>
  admin.evaluate((name) => {
    const [main] = document.querySelectorAll('main');
    return main?.querySelector('h1')?.textContent === name && document.title.startsWith(name) && main.querySelector('[aria-busy="true"], [data-loading], [data-stale="true"]') === null;
  }, name);

/** Goes to a page by the menu, as people do: the app is not loaded again. Filters and the view of a visit before are gone. */
async function visit(path) {
  await admin.getByRole('navigation', { name: 'Manage' }).getByRole('link', { name: pages[path], exact: true }).click();
  await admin.waitForURL((url) => url.pathname === `/system/${path}` && url.search === '');
  await until(() => isThere(pages[path]), `the page ${path} is not there`);
}

const confirm = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** One page of each shape for axe, which takes longer than all else: a list, a matrix, charts, two lists. */
const looked = ['user', 'permission', 'dataLink', 'score'];

test('every page has its own content', async () => {
  for (const path of Object.keys(pages)) {
    await visit(path);
    assert.equal(await admin.getByRole('button', { name: 'Try again' }).count(), 0, path);
    if (!looked.includes(path)) continue;
    await keep(admin, `system-${path}`);
    assert.deepEqual(await axeFindings(admin), [], path);
  }
});

test('others get a page that says why, and no link to it', async () => {
  await ada.goto('/system/user');
  await ada.getByRole('heading', { name: 'This page is for admins' }).waitFor();
  await ada.getByText('You are signed in as ada with ROLE_DEFAULT.').waitFor();
  await ada.goto('/home');
  await ada.getByRole('button', { name: 'Account of ada' }).click();
  await ada.getByRole('menuitem', { name: 'Exit login' }).waitFor();
  assert.equal(await ada.getByRole('menuitem', { name: 'Manage' }).count(), 0);
  await admin.goto('/home');
  await admin.getByRole('button', { name: 'Account of admin' }).click();
  await admin.getByRole('menuitem', { name: 'Manage' }).click();
  await admin.waitForURL('**/system/user');
});

test('filters and pages live in the address', async () => {
  await visit('user');
  await admin.getByRole('searchbox', { name: 'User name' }).fill('ada');
  await admin.getByRole('button', { name: 'Search' }).click();
  await admin.waitForURL('**/system/user?userName=ada');
  await row(admin, 'ada').waitFor();
  await admin.getByText('Total 1', { exact: true }).waitFor();
  await admin.reload();
  await admin.getByText('Total 1', { exact: true }).waitFor();
  await becomes(() => admin.getByRole('searchbox', { name: 'User name' }).inputValue(), 'ada');
  await admin.goto('/system/user?userName=nobody_there');
  await admin.getByText('No data now').waitFor();
  await admin.getByRole('button', { name: 'Reset' }).click();
  await row(admin, 'ada').waitFor();
});

test('a list that can not be loaded says so, and comes with a retry', async () => {
  await admin.route('**/api/system/feedback/list*', (route) => route.fulfill({ status: 500, json: { status: 'fail', msg: 'The server could not do this.', data: null, code: 'internal' } }));
  const before = admin.faults.length;
  await admin.goto('/system/feedback');
  await admin.getByText('The server could not do this.').waitFor();
  await admin.unroute('**/api/system/feedback/list*');
  await admin.getByRole('button', { name: 'Try again' }).click();
  await admin.getByText('Nobody has written yet.').waitFor();
  // Chromium writes the refused answers down.
  admin.faults.splice(before);
});

test('a role is made, given, and opens exactly its pages', async () => {
  await visit('role');
  await admin.getByRole('button', { name: 'Add role' }).click();
  await admin.getByLabel('Name').fill('sup port');
  await admin.getByText('Only a-z, A-Z, 0-9, _ and - are possible.').waitFor();
  // A click beside the form loses nothing.
  await admin.mouse.click(600, 1000);
  await admin.getByLabel('Name').fill('support');
  await admin.getByRole('checkbox', { name: 'Feedback' }).check();
  await admin.getByRole('button', { name: 'Save' }).click();
  await row(admin, 'support').waitFor();
  await visit('user');
  await row(admin, 'ada').getByRole('button', { name: 'Role' }).click();
  await admin.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
  await admin.getByTitle('support').click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await row(admin, 'ada').getByText('support').waitFor();
  await ada.goto('/system');
  await ada.waitForURL('**/system/feedback');
  await becomes(() => ada.getByRole('navigation', { name: 'Manage' }).getByRole('link').count(), 1);
  await ada.goto('/system/user');
  await ada.getByRole('heading', { name: 'This page is for admins' }).waitFor();
});

test('feedback is sent with its hints, answered by letter, and closed', async () => {
  await ada.goto('/home');
  await ada.getByRole('complementary', { name: 'Messages and feedback' }).getByRole('button', { name: 'Feedback' }).click();
  const form = ada.getByRole('dialog', { name: 'Feedback' });
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('Title is required!').waitFor();
  await form.getByText('Suggestion is required!').waitFor();
  await form.getByLabel('Title').fill('Heatmap');
  await form.getByLabel('Suggestion').fill('Its hours should say UTC.');
  await form.locator('input[type="file"]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  await form.getByText('Screenshots can only be in JPG / jpeg / PNG / GIF format!').waitFor();
  const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
  await form.locator('input[type="file"]').setInputFiles({ name: 'map.png', mimeType: 'image/png', buffer: dot });
  await keep(ada, 'feedback-form');
  assert.deepEqual(await axeFindings(ada), []);
  await form.getByRole('button', { name: 'Send' }).click();
  await ada.getByText('Send successfully!').waitFor();
  await form.waitFor({ state: 'detached' });

  await visit('feedback');
  await row(admin, 'Heatmap').getByRole('button', { name: 'Answer' }).click();
  await admin.getByRole('img', { name: 'Screenshot 1' }).waitFor();
  await admin.getByRole('textbox', { name: 'Answer' }).fill('They will, from tomorrow on.');
  await keep(admin, 'system-feedback-answer');
  await admin.getByRole('button', { name: 'Save' }).click();
  await row(admin, 'Heatmap').getByText('Handled').waitFor();
  const dock = ada.getByRole('complementary', { name: 'Messages and feedback' });
  await dock.getByRole('button', { name: 'Messages, some unread' }).click();
  await ada.getByRole('dialog', { name: 'Messages' }).getByRole('button', { name: /admin/ }).click();
  await ada.getByRole('log', { name: 'Letters' }).getByText('They will, from tomorrow on.').waitFor();
});

const csv = (name, lines) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) });

test('dapps are imported, written, changed, removed, and saved as a file', async () => {
  await visit('dapp/info');
  const file = admin.locator('input[type="file"]');
  const head = 'name,dappType,website,note';
  await file.setInputFiles(csv('dapps.csv', [head, 'Swap of tests,finance,https://swap.example,', 'Broken,nothing,,']));
  await admin.getByText(/Line 3 of the file/).waitFor();
  await admin.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  // Chromium writes the refused file down.
  admin.faults.pop();
  await file.setInputFiles(csv('dapps.csv', [head, 'Swap of tests,finance,https://swap.example,', 'Dice of tests,betting,,']));
  await admin.getByText('2 rows imported.').waitFor();
  await admin.getByRole('button', { name: 'Add DApp' }).click();
  await admin.getByRole('dialog').getByLabel('Name').fill('Bank of tests');
  await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await admin.getByRole('dialog').waitFor({ state: 'detached' });

  await admin.getByRole('searchbox', { name: 'DApp' }).fill('of tests');
  await admin.getByRole('button', { name: 'Search' }).click();
  await admin.getByText('Total 3', { exact: true }).waitFor();
  await row(admin, 'Bank of tests').getByRole('button', { name: 'Edit' }).click();
  await admin.getByRole('dialog').getByLabel('Note').fill('A bank, "quoted"');
  await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await row(admin, 'Bank of tests').getByText('A bank, "quoted"').waitFor();
  await row(admin, 'Dice of tests').getByRole('button', { name: 'Remove' }).click();
  await confirm(admin, 'Remove');
  await row(admin, 'Dice of tests').waitFor({ state: 'detached' });

  const [download] = await Promise.all([admin.waitForEvent('download'), admin.getByRole('button', { name: 'Export' }).click()]);
  assert.equal(download.suggestedFilename(), 'DApp info.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  assert.equal(lines.length, 3, lines.join('\n'));
  assert.match(lines.find((line) => line.startsWith('Bank of tests')) ?? '', /"A bank, ""quoted"""/);
});

test('jobs of others are watched and killed, schedules run, rest and tell their log', async () => {
  const endless = 'select a.hash from transactions a cross join transactions b cross join transactions c order by a.value + b.value + c.value, a.hash limit 5';
  await call(ada, 'POST', '/api/query/execute', { kind: 'SQL', text: endless });
  await call(ada, 'POST', '/api/query/create', { title: 'Blocks of ada', what: { kind: 'SQL', text: 'select count(*) as blocks from blocks' }, updateStrategy: 'daily' });
  await admin.goto('/system/jobList?view=jobs');
  const job = row(admin, /a cross join transactions b/);
  await job.getByText('Running').waitFor();
  await job.getByRole('button', { name: 'Kill' }).click();
  await confirm(admin, 'Kill');
  await job.getByText('Killed').waitFor();
  await job.getByRole('button', { name: 'Log' }).click();
  await admin.getByRole('dialog').getByText(endless).waitFor();
  await admin.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await visit('jobList');
  await admin.getByRole('searchbox', { name: 'Query' }).fill('Blocks of ada');
  await admin.getByRole('button', { name: 'Search' }).click();
  const schedule = row(admin, 'Blocks of ada');
  await schedule.getByText('every day').waitFor();
  await schedule.getByRole('button', { name: 'Run now' }).click();
  await admin.getByText('The query runs.').waitFor();
  await schedule.getByRole('img', { name: '1 run, 0 failed' }).waitFor();
  await schedule.getByText('OK', { exact: true }).waitFor();
  for (const head of ['Last start (UTC)', 'Last finish (UTC)', 'Elapsed', 'Progress']) await admin.getByRole('columnheader', { name: head, exact: true }).waitFor();
  await schedule.getByText('100%').waitFor();
  await schedule.getByRole('button', { name: 'Log' }).click();
  await admin.getByRole('dialog').getByRole('log').getByText(/row/).first().waitFor();
  await keep(admin, 'system-job-log');
  await admin.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await schedule.getByRole('switch').click();
  await admin.getByText('The schedule rests.').waitFor();
  await schedule.getByText('Paused').first().waitFor();
});

test('a score rule is changed and an entry written', async () => {
  await visit('score');
  await row(admin, 'Fork received').getByRole('button', { name: 'Edit' }).click();
  await admin.getByRole('dialog').getByLabel('Credits').fill('7');
  await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await row(admin, 'Fork received').getByText('7', { exact: true }).waitFor();
  await admin.getByRole('button', { name: 'Write entry' }).click();
  await admin.getByRole('dialog').getByLabel('User name').fill('ada');
  await admin.getByRole('dialog').getByLabel('Credits').fill('25');
  await admin.getByRole('dialog').getByLabel('Why').fill('A good question');
  await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await row(admin, 'A good question').getByText('+25').waitFor();
});

test('a white paper is uploaded, published and read by everybody', async () => {
  const papers = async () => (await call(ada, 'GET', '/api/white-paper/list')).items.map((paper) => paper.title);
  await visit('white-paper');
  await admin.getByRole('button', { name: 'Add white paper' }).click();
  const form = admin.getByRole('dialog');
  await form.getByLabel('Title').fill('Paper of tests');
  await form.locator('input[type="file"]').setInputFiles({ name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n1 0 obj\n%%EOF\n') });
  await form.getByRole('button', { name: 'Upload' }).click();
  await row(admin, 'Paper of tests').waitFor();
  assert.ok(!(await papers()).includes('Paper of tests'));
  await admin.getByRole('switch', { name: 'Paper of tests is published' }).click();
  await admin.getByText('Everybody can read it now.').waitFor();
  assert.ok((await papers()).includes('Paper of tests'));
});

test('the data monitor stands still while its answers come one after the other', async () => {
  const calls = /api\/(chain\/monitor|system\/dataLink\/(status|history))$/;
  const gates = new Map(['monitor', 'status', 'history'].map((call) => [call, gate()]));
  await admin.route(calls, async (route) => {
    await gates.get(route.request().url().split('/').at(-1)).promise;
    await route.continue();
  });
  await admin.addInitScript(() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await admin.goto('/system/dataLink');
  for (const [call, seen] of [['monitor', '#1,980'], ['status', 'Every block is put together again'], ['history', 'No data now']]) {
    gates.get(call).open();
    await admin.getByRole('main').getByText(seen).first().waitFor();
  }
  const shifted = await admin.evaluate(() => window.shifted);
  assert.ok(shifted < 0.02, `what was on the page moved by ${shifted}`);
  await admin.unroute(calls);
});

test('the lake is checked from the data monitor', async () => {
  await visit('dataLink');
  await admin.getByRole('button', { name: 'Check now' }).click();
  await admin.getByText('Every block proved itself.').first().waitFor();
  await keep(admin, 'system-check');
});

test('a session is ended, and its person logged out', async () => {
  await visit('user-behavior/online-users');
  await row(admin, 'ada').getByRole('button', { name: 'End session' }).click();
  await confirm(admin, 'End session');
  await admin.getByText('The session has ended.').waitFor();
  await ada.goto('/community/favorites');
  const expired = ada.getByRole('alertdialog');
  await expired.getByText('Your login status has expired, please sign in again!').waitFor();
  await expired.getByRole('button', { name: 'OK' }).click();
  await ada.waitForURL('**/home');
  await ada.getByRole('link', { name: 'Log in' }).first().waitFor();
  assert.equal(await ada.evaluate(() => localStorage.getItem('Admin-Token')), null);
});

test('a disabled user cannot log in, and what was done is written down', async () => {
  await visit('user');
  await admin.getByRole('switch', { name: 'ada is enabled' }).click();
  await confirm(admin, 'Disable');
  await admin.getByText('ada is disabled.').waitFor();
  await ada.goto('/auth/login');
  await logIn(ada, 'ada');
  await ada.getByText('This account is disabled.').waitFor();
  await visit('audit');
  for (const done of [/Disabled the user/, /Stopped the job/, /Published the white paper/, /a check of the lake/]) await row(admin, done).waitFor();
});

test('nothing went wrong on the way', () => {
  assert.deepEqual(admin.faults, []);
});
