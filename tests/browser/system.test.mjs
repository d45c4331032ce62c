// The back office as an administrator uses it, and what others see of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, keep, newPage, startBrowser, startServer } from './harness.mjs';
import { logIn, register } from './steps.mjs';

const pages = [
  ['user', 'User'],
  ['role', 'Role'],
  ['permission', 'Permission'],
  ['dataLink', 'Data monitor'],
  ['jobList', 'Scheduled jobs'],
  ['file-manage', 'File manage'],
  ['web-access', 'Web access'],
  ['plantform-manage/user', 'Platform users'],
  ['plantform-manage/revenue', 'Revenue'],
  ['score', 'Score'],
  ['feedback', 'Feedback'],
  ['user-behavior/login-and-logout', 'Login and logout'],
  ['user-behavior/online-users', 'Online users'],
  ['user-behavior/user-dashboard-operate', 'Dashboard operations'],
  ['audit', 'Audit log'],
  ['message-record/mail', 'Mail record'],
  ['message-record/message', 'Message record'],
  ['dapp/reflect', 'DApp reflect'],
  ['dapp/info', 'DApp info'],
  ['white-paper', 'White paper'],
];

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

/** The row of the table that holds a text. */
const row = (page, text) => page.getByRole('row').filter({ hasText: text }).first();

const confirm = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

test('every page has its own content, and axe finds nothing serious', async () => {
  const menu = admin.getByRole('navigation', { name: 'Manage' });
  for (const [path, name] of pages) {
    await menu.getByRole('link', { name, exact: true }).click();
    await admin.waitForURL(`**/system/${path}`);
    await admin.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await admin.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await keep(admin, `system-${path.replaceAll('/', '-')}`);
    assert.deepEqual(await axeFindings(admin), [], path);
  }
});

test('others get a page that says why, and no link to it', async () => {
  await ada.goto('/system/user');
  await ada.getByRole('heading', { name: 'This page is for admins' }).waitFor();
  await ada.getByText('You are signed in as ada with ROLE_DEFAULT.').waitFor();
  await ada.goto('/home');
  await ada.getByRole('button', { name: 'Account of ada' }).click();
  assert.equal(await ada.getByRole('menuitem', { name: 'Manage' }).count(), 0);
  await admin.goto('/home');
  await admin.getByRole('button', { name: 'Account of admin' }).click();
  await admin.getByRole('menuitem', { name: 'Manage' }).click();
  await admin.waitForURL('**/system/user');
});

test('filters and pages live in the address', async () => {
  await admin.goto('/system/user');
  await admin.getByRole('searchbox', { name: 'User name' }).fill('ada');
  await admin.getByRole('button', { name: 'Search' }).click();
  await admin.waitForURL('**/system/user?userName=ada');
  await row(admin, 'ada').waitFor();
  await admin.getByText('Total 1', { exact: true }).waitFor();
  await admin.reload();
  await admin.getByText('Total 1', { exact: true }).waitFor();
  assert.equal(await admin.getByRole('searchbox', { name: 'User name' }).inputValue(), 'ada');
  await admin.goto('/system/user?userName=nobody_there');
  await admin.getByText('No data now').waitFor();
  await admin.getByRole('button', { name: 'Reset' }).click();
  await row(admin, 'ada').waitFor();
});

test('a role is made, given, and opens exactly its pages', async () => {
  await admin.goto('/system/role');
  await admin.getByRole('button', { name: 'Add role' }).click();
  await admin.getByLabel('Name').fill('support');
  await admin.getByRole('checkbox', { name: 'Feedback' }).check();
  await admin.getByRole('button', { name: 'Save' }).click();
  await row(admin, 'support').waitFor();
  await admin.goto('/system/user');
  await row(admin, 'ada').getByRole('button', { name: 'Role' }).click();
  await admin.getByRole('combobox', { name: 'Role' }).last().click();
  await admin.getByTitle('support').click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await row(admin, 'ada').getByText('support').waitFor();
  await ada.goto('/system');
  await ada.waitForURL('**/system/feedback');
  assert.equal(await ada.getByRole('navigation', { name: 'Manage' }).getByRole('link').count(), 1);
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

  await admin.goto('/system/feedback');
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

test('a dapp and its address are written, imported and removed', async () => {
  await admin.goto('/system/dapp/info');
  await admin.locator('input[type="file"]').setInputFiles({ name: 'dapps.csv', mimeType: 'text/csv', buffer: Buffer.from('name,dappType,website,note\nSwap,finance,https://swap.example,\nBroken,nothing,,\n') });
  await admin.getByText(/Line 3 of the file/).waitFor();
  await admin.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await admin.locator('input[type="file"]').setInputFiles({ name: 'dapps.csv', mimeType: 'text/csv', buffer: Buffer.from('name,dappType,website,note\nSwap,finance,https://swap.example,\nDice,betting,,\n') });
  await admin.getByText('2 rows imported.').waitFor();
  await row(admin, 'Dice').getByRole('button', { name: 'Remove' }).click();
  await confirm(admin, 'Remove');
  await row(admin, 'Dice').waitFor({ state: 'detached' });
  await row(admin, 'Swap').waitFor();
});

test('a list is saved as a file', async () => {
  await admin.goto('/system/dapp/info');
  await row(admin, 'Swap').waitFor();
  const [download] = await Promise.all([admin.waitForEvent('download'), admin.getByRole('button', { name: 'Export' }).click()]);
  assert.equal(download.suggestedFilename(), 'DApp info.csv');
});

test('a session is ended, and its person logged out', async () => {
  await admin.goto('/system/user-behavior/online-users');
  await row(admin, 'ada').getByRole('button', { name: 'End session' }).click();
  await confirm(admin, 'End session');
  await admin.getByText('The session has ended.').waitFor();
  await ada.goto('/home');
  await ada.getByText('Your login status has expired, please sign in again!').waitFor();
  await ada.getByRole('button', { name: 'OK' }).click();
  await ada.waitForURL('**/home');
});

test('a disabled user cannot log in, and what was done is written down', async () => {
  await admin.goto('/system/user');
  await admin.getByRole('switch', { name: 'ada is enabled' }).click();
  await confirm(admin, 'Disable');
  await admin.getByText('ada is disabled.').waitFor();
  await ada.goto('/auth/login');
  await logIn(ada, 'ada');
  await ada.getByText('This account is disabled.').waitFor();
  await admin.goto('/system/audit');
  await row(admin, /disabled/).waitFor();
});

test('nothing went wrong on the way', () => {
  assert.deepEqual(admin.faults, []);
});
