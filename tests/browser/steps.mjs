// What a person does on the pages, said once: a changed page changes one function here.
const password = 's3cret-enough';

/** Makes an account and is signed in afterwards. */
export async function register(page, name) {
  await page.goto('/auth/register');
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Repeat password').fill(password);
  await page.getByRole('checkbox').check();
  await page.locator('form').getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: `Account of ${name}` }).waitFor();
}

/** Fills in the login page that is open. */
export async function logIn(page, name, secret = password) {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.locator('form').getByRole('button', { name: 'Log in' }).click();
}

export async function signOut(page) {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Exit login' }).click();
  await page.getByRole('button', { name: /^Account of/ }).waitFor({ state: 'detached' });
}

export async function openQueryPage(page) {
  await page.goto('/user/query');
  await page.locator('.cm-content').waitFor();
}

/** Replaces what is in the editor, as one paste would. */
export async function typeQuery(page, sql) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(sql);
}

export async function run(page) {
  await page.getByRole('button', { name: /^Run/ }).click();
}

/** Waits until the result grid shows rows. */
export async function waitForRows(page) {
  await page.locator('.ag-row .ag-cell:not(.is-row-number)').first().waitFor();
}

/** Asks the API for whoever is signed in on the page; answers the data. */
export async function call(page, method, path, body) {
  const token = await page.evaluate(() => localStorage.getItem('Admin-Token'));
  const answer = await page.request.fetch(path, { method, headers: { authorization: `Bearer ${token}` }, ...(body === undefined ? {} : { data: body }) });
  const { status, msg, data } = await answer.json();
  if (status !== 'success') throw new Error(`${method} ${path}: ${msg}`);
  return data;
}

/** Waits until a job has succeeded; one that ended otherwise says why. */
export async function ended(page, jobId) {
  for (;;) {
    const { state, message } = await call(page, 'GET', `/api/job/${jobId}?wait=20000`);
    if (state === 'SUCCEEDED') return;
    if (!['QUEUED', 'RUNNING'].includes(state)) throw new Error(`${state}: ${message}`);
  }
}
