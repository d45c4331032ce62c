// The query page as its users walk it: drafts that survive, saved queries with versions, parameters, readers, and every kind.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFindings, keep, newPage, startBrowser, startServer, until } from './harness.mjs';
import { call, ended, openQueryPage, register, run, typeQuery, waitForRows } from './steps.mjs';

let server;
let browser;
let page;
/** The address of ada's saved query. */
let address;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  page = await newPage(browser, server);
  await register(page, 'ada');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const editorText = (of = page) => of.locator('.cm-content').first().innerText();
/** Opens a tab of a kind; it is in front afterwards. */
const newTab = async (kind) => {
  const strip = page.getByRole('navigation', { name: 'Open queries' });
  await strip.getByRole('button', { name: 'New query' }).click();
  await page.getByRole('menuitem', { name: kind, exact: true }).click();
  await strip.locator('[aria-current="page"]', { hasText: new RegExp(`^${kind}\\s*Empty draft`) }).waitFor();
};
/** When the server has this text. */
const draftSaved = (part) => page.waitForResponse((answer) => answer.url().endsWith('/api/query/draft/save') && answer.request().postData().includes(part));

test('what is written comes back after a reload, and in another window from the server', async () => {
  await openQueryPage(page);
  await typeQuery(page, '-- my draft\nselect 1 as');
  // This device has it a moment later, before the server knows: enough after a crash of the window.
  await page.waitForFunction(() => localStorage.getItem('quarry.drafts')?.includes('select 1 as'));
  await page.reload();
  await page.getByText('select 1 as').first().waitFor();
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  const saved = draftSaved('select 1 as kept');
  await page.keyboard.insertText(' kept');
  await saved;
  // Without what this device keeps, the draft is still in the list of drafts.
  await page.evaluate(() => {
    localStorage.removeItem('quarry.drafts');
    sessionStorage.clear();
  });
  await openQueryPage(page);
  await page.getByRole('button', { name: 'Drafts' }).click();
  await page.getByRole('button', { name: 'Open draft my draft' }).click();
  await page.getByText('select 1 as kept').first().waitFor();
  await keep(page, 'editor-drafts');
});

test('tabs hold one query each', async () => {
  await newTab('SQL');
  await typeQuery(page, 'select 2 as second');
  await page.getByRole('button', { name: /^SQL\s*my draft/ }).click();
  await page.getByText('select 1 as kept').first().waitFor();
  await page.getByRole('button', { name: /^SQL\s*select 2/ }).click();
  await page.getByText('select 2 as second').first().waitFor();
  // A kind that has no text leaves it where it is.
  await page.getByRole('radiogroup', { name: 'Type of query' }).getByText('LABEL').click();
  await page.getByRole('navigation', { name: 'Labels' }).waitFor();
  await page.getByRole('button', { name: /^SQL\s*select 2/ }).click();
  await page.getByText('select 2 as second').first().waitFor();
});

test('what was typed just before the page goes is there again', async () => {
  await typeQuery(page, 'select 7 as last_word');
  await page.reload();
  await page.getByText('select 7 as last_word').first().waitFor();
});

test('a query with parameters runs with their values, and without those it may lack', async () => {
  await typeQuery(page, "select block_number, {{word}} as word from transactions where true [[ and block_number = {{block}} ]] order by 1 limit 3");
  await page.getByLabel('word', { exact: true }).fill("it's; drop");
  await run(page);
  await waitForRows(page);
  await page.locator('.ag-cell', { hasText: "it's; drop" }).first().waitFor();
  await page.getByLabel('block', { exact: true }).fill('10');
  await run(page);
  await page.locator('.ag-row').first().locator('.ag-cell', { hasText: /^10$/ }).waitFor();
  await page.getByRole('button', { name: 'Settings of block' }).click();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByText('Number', { exact: true }).last().click();
  await page.keyboard.press('Escape');
  await page.getByLabel('block', { exact: true }).fill('seven');
  await run(page);
  await page.getByText('This is no number.').waitFor();
  await page.getByLabel('block', { exact: true }).fill('10');
  await keep(page, 'editor-parameters');
});

test('it is saved with a chart, changed, compared and restored', async () => {
  await page.getByRole('radio', { name: 'Bar', exact: true }).click();
  await page.keyboard.press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog', { name: 'Save query' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('A query needs a title.').waitFor();
  await dialog.getByLabel('Title').fill('Transactions of a block');
  await dialog.getByLabel('Public').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/user\/query\?id=/);
  address = page.url();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  await run(page);
  await waitForRows(page);

  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('\n-- second version');
  await page.getByRole('img', { name: 'Not saved yet' }).waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('img', { name: 'Not saved yet' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByText('Version 2').waitFor();
  await page.getByRole('button', { name: 'Compare' }).last().click();
  await page.locator('.cm-changedText, .cm-changedLine').first().waitFor();
  await keep(page, 'editor-compare');
  await page.getByRole('dialog', { name: 'Compare' }).getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restored').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await until(async () => !(await editorText()).includes('second version'), 'the second version stays');
});

test('its chart goes on a new dashboard, and one that was removed comes back', async () => {
  await page.getByRole('tab', { name: /Bar/ }).click();
  await page.getByRole('button', { name: 'Add to dashboard' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to dashboard' });
  await dialog.getByLabel('Find a dashboard, or name a new one').fill('Board of ada');
  await dialog.getByRole('button', { name: 'New dashboard “Board of ada”' }).click();
  await dialog.getByText(/is now on Board of ada/).waitFor();
  assert.match(await dialog.getByRole('link', { name: 'Open dashboard' }).getAttribute('href'), /^\/user\/dashboard\?id=/);
  // The notice that it is there lies in the dialog, with a button of its own to close it.
  await dialog.getByText('Close', { exact: true }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('tab', { name: /Bar/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('tab', { name: /Bar/ }).waitFor();
});

test('the decoder says what calls, transactions and logs are, and learns signatures', async () => {
  const { jobId } = await call(page, 'POST', '/api/query/execute', { kind: 'SQL', text: 'select transaction_hash from token_transfers limit 1' });
  await ended(page, jobId);
  const [[hash]] = (await call(page, 'GET', `/api/job/${jobId}/result`)).rows;
  await page.getByRole('button', { name: 'Decoder' }).click();
  const panel = page.getByRole('dialog', { name: 'Function and event decoder' });
  const decode = async (text) => {
    await panel.getByRole('textbox').fill(text);
    await panel.getByRole('button', { name: 'Decode' }).click();
  };
  await decode(`0xa9059cbb${'11'.repeat(20).padStart(64, '0')}${'a'.padStart(64, '0')}`);
  await panel.getByText('function transfer(address to, uint256 amount)').waitFor();
  await panel.getByRole('row', { name: /^amount uint256 10\b/ }).waitFor();

  await panel.getByText('Transactions', { exact: true }).click();
  await decode('0x12 0x34');
  await panel.getByText('A hash is 0x and 64 hexadecimal digits.').waitFor();
  await decode(`${hash}\n0x${'0'.repeat(64)}`);
  await panel.getByText('1 of 2 transactions found').waitFor();
  await panel.getByText(/^event Transfer\(/).first().waitFor();
  await panel.getByText('Not found').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await keep(page, 'editor-decoder');

  await decode(`0x12345678${'1'.padStart(64, '0')}`);
  await panel.getByText('No known function fits 0x12345678.', { exact: false }).waitFor();
  await panel.getByRole('textbox').fill('ping(uint8 times)');
  await panel.getByRole('button', { name: 'Add signature' }).click();
  await panel.getByText('function ping(uint8 times)').waitFor();
  await panel.getByRole('button', { name: /^Remove function ping/ }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await panel.getByText('function ping(uint8 times)').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

test('somebody else reads its result without running it, and forks it', async () => {
  // The text as it is saved makes the result that others see.
  await page.getByLabel('word', { exact: true }).fill('');
  const other = await newPage(browser, server);
  await register(other, 'eve');
  await other.goto(address);
  await other.getByText('Query of ada.', { exact: false }).waitFor();
  // Where one pane has to do, it is the one with what the link was followed for; one's own text only reads there, and says so.
  const wide = other.viewportSize();
  await other.setViewportSize({ width: 390, height: 844 });
  await other.goto(address);
  await other.locator('#query-result').waitFor();
  await other.goto('/user/query?type=sql');
  await other.getByText('To write one, turn the device or use a wider window.', { exact: false }).waitFor();
  assert.deepEqual(await axeFindings(other), []);
  await other.setViewportSize(wide);
  await other.goto(address);
  await other.getByText('Query of ada.', { exact: false }).waitFor();
  await other.getByRole('button', { name: 'Fork' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Fork' }).click();
  await other.getByText('Forked as', { exact: false }).waitFor();
  await other.waitForURL((url) => url.href !== address);
  assert.deepEqual(await axeFindings(other), []);
  assert.deepEqual(other.faults, []);
  await other.context().close();
});

test('HIVE shows a hundred rows, a hundred more and all, and says what it does', async () => {
  await newTab('HIVE');
  await typeQuery(page, 'create temporary table t as select block_number, value from transactions;\nselect * from t;');
  await run(page);
  await waitForRows(page);
  const shown = (text) => page.getByText(text, { exact: false }).first().waitFor();
  await shown('100 of ');
  await page.getByRole('button', { name: '100 more' }).click();
  await shown('200 of ');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('button', { name: '100 more' }).and(page.locator(':disabled')).waitFor();
  // The log of a batch job opens with its run.
  await page.getByRole('log').getByText('Statement 2 of 2').waitFor();
  await keep(page, 'editor-hive');
  // A table that stays is listed at once, and words on offer close when the text runs.
  await typeQuery(page, 'create table mine as select 1 as a from block');
  await page.keyboard.type('s');
  await page.locator('.cm-tooltip-autocomplete').waitFor();
  await page.keyboard.type(' limit 1');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByRole('region', { name: 'My tables' }).getByText('mine', { exact: true }).waitFor();
  assert.equal(await page.locator('.cm-tooltip-autocomplete').count(), 0);
});

test('GRAPH gives rows and a drawing', async () => {
  await newTab('GRAPH');
  await typeQuery(page, 'MATCH (a:EOA)-[t:TRANSFERS]->(b) RETURN a, t, b ORDER BY t.value DESC LIMIT 20');
  await run(page);
  await waitForRows(page);
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.getByText(/nodes, 20 edges/).waitFor();
  await page.locator('#query-result').getByRole('img').first().waitFor();
  await keep(page, 'editor-graph');
});

test('MAPREDUCE begins with a template, refuses a wrong name, tries a day and writes a table', async () => {
  await newTab('MAPREDUCE');
  await page.getByRole('button', { name: 'Start from template' }).click();
  await page.getByRole('menuitem').first().click();
  await page.getByLabel('Table name').fill('1st');
  await page.getByText('TableName can only contain', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Test run' }).click();
  await waitForRows(page);
  await page.getByLabel('Table name').fill('senders');
  await run(page);
  await page.getByRole('log').getByText(/senders/).first().waitFor();
  await page.locator('[data-state="SUCCEEDED"]').first().waitFor();
  await keep(page, 'editor-mapreduce');
});

test('LABEL asks for what its rule needs, and its rows are labels', async () => {
  await newTab('LABEL');
  await page.getByRole('button', { name: /^Top holder/ }).click();
  await page.getByRole('button', { name: 'Run label job' }).click();
  await page.getByText('This needs a value.').waitFor();
  await page.getByRole('button', { name: /^Account kind/ }).click();
  await page.getByRole('button', { name: 'Run label job' }).click();
  await waitForRows(page);
  assert.deepEqual(await axeFindings(page), []);
  await keep(page, 'editor-label');
});

test('the palette leads to what was saved, by the keyboard alone', async () => {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or jump to…' }).fill('transactions of a');
  await page.getByRole('option', { name: /Transactions of a block/ }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await keep(page, 'palette');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/user\/query\?id=/);
  await page.getByRole('heading', { name: 'Transactions of a block' }).waitFor({ state: 'attached' });
});

test('the lists know the query and the jobs of each kind', async () => {
  await page.goto('/user/my-query?type=hive');
  await page.locator('tbody tr').first().getByText('HIVE', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'My queries' }).click();
  await page.getByRole('link', { name: 'Transactions of a block' }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await keep(page, 'my-queries');
});

test('nothing went wrong on the way', () => {
  assert.deepEqual(page.faults, []);
});
