// Logging in at a provider of OpenID Connect, where the server takes no passwords.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { adminPassword, newPage, startBrowser, startServer } from './harness.mjs';
import { clientId, clientSecret, groups, logInThere, startProvider } from './provider.mjs';
import { call, signOut } from './steps.mjs';

let provider;
let server;
let browser;

/** A port that is free: the provider has to know the server's address, and the server the provider's. */
async function freePort() {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

before(async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  provider = await startProvider(`http://${listen}`);
  const settings = {
    QUARRY_PUBLIC_URL: `http://${listen}`,
    QUARRY_OIDC_ISSUER: provider.issuer,
    QUARRY_OIDC_CLIENT_ID: clientId,
    QUARRY_OIDC_CLIENT_SECRET: clientSecret,
    QUARRY_OIDC_LABEL: 'Example Ltd.',
    QUARRY_OIDC_ROLE_CLAIM: 'groups',
    QUARRY_OIDC_ROLES: 'quarry-admins=admin',
    QUARRY_OIDC_CREATE_ACCOUNTS: 'true',
    QUARRY_PASSWORD_LOGIN: 'false',
    QUARRY_SAMPLE_TRANSACTIONS: '0',
  };
  [server, browser] = await Promise.all([startServer({ listen, settings }), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await provider?.stop();
});

/** A page of somebody whose browser has never been here. */
async function someone() {
  const page = await newPage(browser, server);
  // The provider's pages ask for a font, and tests for nothing outside of this machine.
  await page.route(/^https:/, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  return page;
}

async function begin(page) {
  await page.goto('/auth/login');
  await page.getByRole('link', { name: 'Log in with Example Ltd.' }).click();
}

async function logIn(page, name) {
  await begin(page);
  await logInThere(page, name);
  await page.getByRole('button', { name: `Account of ${name}` }).waitFor();
}

test('somebody logs in, leaves, and is asked for no password here', async () => {
  const page = await someone();
  await page.goto('/auth/login');
  await page.getByRole('link', { name: 'Log in with Example Ltd.' }).waitFor();
  assert.equal(await page.getByLabel('Password').count(), 0);
  await logIn(page, 'bob');
  const { user, role } = await call(page, 'GET', '/api/user/info');
  assert.deepEqual([user.userName, role], ['bob', 'ROLE_DEFAULT']);
  const token = await page.evaluate(() => localStorage.getItem('Admin-Token'));
  await signOut(page);
  const ended = await page.request.get('/api/user/info', { headers: { authorization: `Bearer ${token}` } });
  assert.equal(ended.status(), 401, 'the session has ended');
  // The provider still knows the browser, and nobody is asked twice.
  await begin(page);
  await page.getByRole('button', { name: 'Account of bob' }).waitFor();
  assert.deepEqual(page.faults, []);
});

test('groups at the provider decide about the role at each login', async () => {
  const admin = await someone();
  await logIn(admin, 'ada');
  await admin.goto('/system');
  await admin.waitForURL('**/system/user');
  assert.deepEqual(admin.faults, []);
  groups.ada = ['staff'];
  const former = await someone();
  await logIn(former, 'ada');
  const { role } = await call(former, 'GET', '/api/user/info');
  assert.equal(role, 'ROLE_DEFAULT');
});

test('a password opens nothing, not even the account of the administrator', async () => {
  const page = await someone();
  const answer = await page.request.post('/api/user/login', { data: { userName: 'admin', password: adminPassword } });
  assert.equal(answer.status(), 403);
  assert.equal((await answer.json()).code, 'passwords_off');
});
