// Registration by invitation: an administrator invites, withdraws, and removes a second factor that its owner has lost.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { adminPassword, axeFindings, becomes, keep, newPage, startBrowser, startServer } from './harness.mjs';
import { call, logIn } from './steps.mjs';

const password = 's3cret-enough';

let server;
let browser;
let admin;
/** Whom a link invites, with all that the browser sends for them. */
let guest;

before(async () => {
  [server, browser] = await Promise.all([startServer({ settings: { QUARRY_REGISTRATION: 'invitation' } }), startBrowser()]);
  [admin, guest] = [await newPage(browser, server), await newPage(browser, server)];
  await admin.goto('/auth/login?redirect=%2Fsystem');
  await logIn(admin, 'admin', adminPassword);
  await admin.waitForURL('**/system/user');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const menu = (name) => admin.getByRole('navigation', { name: 'Manage' }).getByRole('link', { name, exact: true }).click();
const row = (text) => admin.getByRole('row').filter({ has: admin.getByText(text, { exact: true }) }).first();

/** Makes an invitation on the page; returns its link and code. */
async function invite(email) {
  await admin.getByRole('button', { name: 'Invite', exact: true }).click();
  const form = admin.getByRole('dialog', { name: 'Invite' });
  if (email) await form.getByLabel('Email').fill(email);
  await form.getByRole('button', { name: 'Make invitation' }).click();
  const made = admin.getByRole('dialog', { name: 'Invitation made' });
  await made.getByRole('code').first().waitFor();
  const [link, code] = await made.getByRole('code').allTextContents();
  await keep(admin, 'system-invitation-made');
  assert.deepEqual(await axeFindings(admin), []);
  await made.getByRole('button', { name: 'Done' }).click();
  await made.waitFor({ state: 'detached' });
  return { link, code };
}

/** Fills in what a link does not. */
async function register(page, name) {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Repeat password').fill(password);
  await page.getByRole('checkbox').check();
  await page.locator('form').getByRole('button', { name: 'Create account' }).click();
}

test('the link of an invitation makes one account, and its code goes nowhere else', async () => {
  await menu('Invitations');
  await admin.getByText('Nobody was invited yet.').waitFor();
  assert.deepEqual(await axeFindings(admin), []);
  await admin.getByRole('button', { name: 'Invite', exact: true }).click();
  const form = admin.getByRole('dialog', { name: 'Invite' });
  await form.getByLabel('Email').fill('ada');
  await form.getByRole('button', { name: 'Make invitation' }).click();
  await form.getByText('Please enter a valid email address!').waitFor();
  await keep(admin, 'system-invite');
  assert.deepEqual(await axeFindings(admin), []);
  await form.getByRole('button', { name: 'Cancel' }).click();

  const { link, code } = await invite('ada@mail.example');
  await row('ada@mail.example').getByText('Open', { exact: true }).waitFor();
  assert.equal(await admin.getByText(code).count(), 0, 'the code is shown once');

  const sent = [];
  guest.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await guest.goto(link);
  await becomes(() => guest.getByLabel('Invitation code').inputValue(), code);
  await becomes(() => guest.getByLabel('Email').inputValue(), 'ada@mail.example');
  await register(guest, 'ada');
  await guest.getByRole('button', { name: 'Account of ada' }).waitFor();
  const withCode = sent.filter((request) => request.includes(code));
  assert.deepEqual(withCode.map((request) => new URL(request.split(' ')[0]).pathname), ['/api/user/register']);

  await admin.reload();
  const used = row('ada@mail.example');
  await used.getByText('Used', { exact: true }).waitFor();
  await used.getByText('ada', { exact: true }).waitFor();
  assert.equal(await used.getByRole('button', { name: 'Withdraw' }).count(), 0);
});

test('a withdrawn invitation lets nobody in', async () => {
  const { link } = await invite();
  await row('Anyone').getByRole('button', { name: 'Withdraw' }).click();
  await keep(admin, 'system-invitation-withdraw');
  await admin.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await admin.getByText('The invitation was withdrawn.').waitFor();
  await row('Anyone').getByText('Withdrawn', { exact: true }).waitFor();
  await keep(admin, 'system-invitations');
  const eve = await newPage(browser, server);
  await eve.goto(link);
  await register(eve, 'eve');
  await eve.getByText(/The invitation code is missing, wrong, used, withdrawn/).waitFor();
  await eve.context().close();
});

/** The code of an authenticator app now (RFC 6238), of a secret in Base32. */
function code(secret) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', key).update(step).digest();
  const number = hash.readUInt32BE(hash.at(-1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

test('a second factor is removed, and its owner logs in with the password alone', async () => {
  const { secret } = await call(guest, 'POST', '/api/user/second-factor/begin', { password });
  await call(guest, 'POST', '/api/user/second-factor/confirm', { code: code(secret) });
  await menu('User');
  await row('ada').getByText('On', { exact: true }).waitFor();
  await row('ada').getByRole('button', { name: 'Details' }).click();
  const details = admin.getByRole('dialog').filter({ hasText: 'Sessions in use' });
  await details.getByText('10 recovery codes left').waitFor();
  await keep(admin, 'system-user-details');
  assert.deepEqual(await axeFindings(admin), []);
  await details.getByRole('button', { name: 'Remove second factor' }).click();
  const question = admin.getByRole('dialog').filter({ hasText: 'Remove the second factor of ada?' }).last();
  await question.getByText(/A password is then enough/).waitFor();
  await keep(admin, 'system-remove-second-factor');
  assert.deepEqual(await axeFindings(admin), []);
  await question.getByRole('button', { name: 'Remove second factor' }).click();
  await admin.getByText('The second factor of ada was removed.').waitFor();
  await details.getByText('Off', { exact: true }).waitFor();
  await question.waitFor({ state: 'detached' });
  await details.getByRole('button', { name: 'Close' }).click();
  await row('ada').getByText('Off', { exact: true }).waitFor();

  const elsewhere = await newPage(browser, server);
  await elsewhere.goto('/auth/login');
  await logIn(elsewhere, 'ada');
  await elsewhere.getByRole('button', { name: 'Account of ada' }).waitFor();
  await elsewhere.context().close();
  await guest.reload();
  await guest.getByRole('button', { name: 'Account of ada' }).waitFor();

  await menu('Audit log');
  for (const done of [/Made the invitation \w+ for ada@mail\.example/, /Withdrew the invitation/, /Removed the second factor of the user ada/]) {
    await admin.getByRole('row').filter({ hasText: done }).first().waitFor();
  }
});

test('nothing went wrong on the way', () => {
  assert.deepEqual([...admin.faults, ...guest.faults], []);
});
